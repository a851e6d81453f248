<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>S2 Voice Studio {version}</source>
        <translation>S2 Voice Studio {version}</translation>
    </message>
    <message>
        <source>Desktop voice studio and inference engine for Fish Audio S2 Pro. The program is under the MIT license.</source>
        <translation>面向 Fish Audio S2 Pro 的桌面语音工作室与推理引擎。本程序采用 MIT 许可证。</translation>
    </message>
    <message>
        <source>The small demo voice that comes with it is no S2 Pro: it is a robot with two speakers, made for trying the studio without a download.</source>
        <translation>随附的小型演示语音并不是 S2 Pro：它是一个有两个说话人的机器人，用来在不下载任何东西的情况下试用本工作室。</translation>
    </message>
    <message>
        <source>The S2 Pro weights are not part of the program. They may be used for research and other non-commercial purposes; commercial use needs a license from Fish Audio.</source>
        <translation>S2 Pro 的权重不属于本程序。权重可用于研究和其他非商业用途；商业用途须获得 Fish Audio 的许可。</translation>
    </message>
    <message>
        <source>Built with Fish Audio. This model is licensed under the Fish Audio Research License, Copyright © 39 AI, INC. All Rights Reserved.</source>
        <translation>Built with Fish Audio. This model is licensed under the Fish Audio Research License, Copyright © 39 AI, INC. All Rights Reserved.</translation>
    </message>
    <message>
        <source>How to get S2 Pro…</source>
        <translation>如何获取 S2 Pro…</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>Load the model again</source>
        <translation>重新加载模型</translation>
    </message>
    <message>
        <source>Open text…</source>
        <translation>打开文本…</translation>
    </message>
    <message>
        <source>Save text…</source>
        <translation>保存文本…</translation>
    </message>
    <message>
        <source>Export take…</source>
        <translation>导出语音…</translation>
    </message>
    <message>
        <source>Put text and settings back</source>
        <translation>恢复文本和设置</translation>
    </message>
    <message>
        <source>Same seed again</source>
        <translation>用相同种子再来一次</translation>
    </message>
    <message>
        <source>Next seed</source>
        <translation>下一个种子</translation>
    </message>
    <message>
        <source>Star or unstar the take</source>
        <translation>给这条语音加星或取消</translation>
    </message>
    <message>
        <source>Rename the take…</source>
        <translation>重命名这条语音…</translation>
    </message>
    <message>
        <source>Delete the take</source>
        <translation>删除这条语音</translation>
    </message>
    <message>
        <source>Room for takes…</source>
        <translation>语音占用空间…</translation>
    </message>
    <message>
        <source>Save take…</source>
        <translation>保存语音…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Go to the script</source>
        <translation>转到文稿</translation>
    </message>
    <message>
        <source>Record a clip, or stop recording</source>
        <translation>录制片段，或停止录制</translation>
    </message>
    <message>
        <source>Open a clip…</source>
        <translation>打开片段…</translation>
    </message>
    <message>
        <source>Import voice…</source>
        <translation>导入音色…</translation>
    </message>
    <message>
        <source>Search voices</source>
        <translation>搜索音色</translation>
    </message>
    <message>
        <source>Open the voices folder</source>
        <translation>打开音色文件夹</translation>
    </message>
    <message>
        <source>Read the voices folder again</source>
        <translation>重新读取音色文件夹</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Keep this seed</source>
        <translation>固定此种子</translation>
    </message>
    <message>
        <source>Draw a new seed</source>
        <translation>抽取新种子</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Play from the start</source>
        <translation>从头播放</translation>
    </message>
    <message>
        <source>Stop playing</source>
        <translation>停止播放</translation>
    </message>
    <message>
        <source>Play while generating</source>
        <translation>边生成边播放</translation>
    </message>
    <message>
        <source>Loop the selection</source>
        <translation>循环播放所选部分</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Show the whole take</source>
        <translation>显示整条语音</translation>
    </message>
    <message>
        <source>Look for sound devices again</source>
        <translation>重新查找声音设备</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>使用手册</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>How to get S2 Pro…</source>
        <translation>如何获取 S2 Pro…</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Voice</source>
        <translation>音色(&amp;V)</translation>
    </message>
    <message>
        <source>Recent clips</source>
        <translation>最近的片段</translation>
    </message>
    <message>
        <source>&amp;Generate</source>
        <translation>生成(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Take</source>
        <translation>语音(&amp;T)</translation>
    </message>
    <message>
        <source>Vie&amp;w</source>
        <translation>视图(&amp;W)</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>The settings could not be saved: {reason}</source>
        <translation>设置无法保存：{reason}</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
</context>
<context>
    <name>ClipController</name>
    <message>
        <source>Sound is playing. The list is read again when it has ended.</source>
        <translation>正在播放声音。播放结束后会重新读取列表。</translation>
    </message>
    <message>
        <source>Open a clip</source>
        <translation>打开片段</translation>
    </message>
    <message>
        <source>Sound files ({kinds});;All files (*)</source>
        <translation>声音文件 ({kinds});;所有文件 (*)</translation>
    </message>
    <message>
        <source>Reading {name}…</source>
        <translation>正在读取 {name}…</translation>
    </message>
    <message>
        <source>Open another clip…</source>
        <translation>打开其他片段…</translation>
    </message>
    <message>
        <source>trim the silence</source>
        <translation>修剪静音</translation>
    </message>
    <message>
        <source>There is no silence to cut at the ends.</source>
        <translation>两端没有可剪掉的静音。</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>增益</translation>
    </message>
    <message>
        <source>cut at the pause</source>
        <translation>在停顿处剪断</translation>
    </message>
    <message>
        <source>Take the words that were cut out of the transcript too.</source>
        <translation>请把剪掉的词也从文字稿中删去。</translation>
    </message>
    <message>
        <source>shorten</source>
        <translation>缩短</translation>
    </message>
    <message>
        <source>one channel</source>
        <translation>单声道</translation>
    </message>
    <message>
        <source>Record again</source>
        <translation>重新录制</translation>
    </message>
    <message>
        <source>Shorten</source>
        <translation>缩短</translation>
    </message>
    <message>
        <source>{0} dB</source>
        <translation>{0} dB</translation>
    </message>
    <message>
        <source>Trim</source>
        <translation>修剪</translation>
    </message>
    <message>
        <source>Use one</source>
        <translation>只用一个声道</translation>
    </message>
    <message>
        <source>Transcribe</source>
        <translation>转写</translation>
    </message>
    <message>
        <source>Cut at pause</source>
        <translation>在停顿处剪断</translation>
    </message>
    <message>
        <source>No access: the microphone gives only zeros. It is muted, or the system does not let this program use it.</source>
        <translation>无法访问：麦克风只给出零值。它被静音，或系统不允许本程序使用。</translation>
    </message>
</context>
<context>
    <name>ClipLamp</name>
    <message>
        <source>CLIP</source>
        <translation>削波</translation>
    </message>
    <message>
        <source>Clip lamp: lit</source>
        <translation>削波灯：亮</translation>
    </message>
    <message>
        <source>Clip lamp: off</source>
        <translation>削波灯：灭</translation>
    </message>
    <message>
        <source>The input was clipped. Lower its gain. Click to put the lamp out.</source>
        <translation>输入信号发生削波。请降低增益。点击可熄灭指示灯。</translation>
    </message>
    <message>
        <source>Lights when the input is clipped</source>
        <translation>输入削波时亮起</translation>
    </message>
</context>
<context>
    <name>ClipView</name>
    <message>
        <source>Waveform of the clip</source>
        <translation>片段波形</translation>
    </message>
    <message>
        <source>Arrow keys move the start or the end, [ and ] choose which. Space plays.</source>
        <translation>方向键移动起点或终点，[ 和 ] 选择移动哪一个。空格键播放。</translation>
    </message>
</context>
<context>
    <name>CodebookView</name>
    <message>
        <source>Codebook roll</source>
        <translation>码本卷图</translation>
    </message>
    <message>
        <source>Codes of each frame, one row for each codebook. Click to move in the take. Repeats and dead stretches are marked.</source>
        <translation>每一帧的编码，每个码本一行。点击可在语音中定位。重复段和死区会有标记。</translation>
    </message>
    <message>
        <source>The server that made this take hands out no codes</source>
        <translation>生成此语音的服务器不提供编码</translation>
    </message>
    <message>
        <source>loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>dead</source>
        <translation>死区</translation>
    </message>
    <message>
        <source>semantic</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>residual {row}</source>
        <translation>残差 {row}</translation>
    </message>
    <message>
        <source>Frame {frame} at {seconds:.2f} s, {name}: code {code}</source>
        <translation>第 {frame} 帧（{seconds:.2f} 秒），{name}：编码 {code}</translation>
    </message>
    <message>
        <source>Dead stretch: {frames} frames without change or sound</source>
        <translation>死区：{frames} 帧既无变化也无声音</translation>
    </message>
    <message>
        <source>Loop: {period} frames come {times:.1f} times</source>
        <translation>循环：{period} 帧重复了 {times:.1f} 次</translation>
    </message>
</context>
<context>
    <name>DeviceBox</name>
    <message>
        <source>System default</source>
        <translation>系统默认</translation>
    </message>
    <message>
        <source>{name} (missing)</source>
        <translation>{name}（缺失）</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>The engine failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model cannot be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tokenizer cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The voice cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reference cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The request cannot be spoken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generation failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The device cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server does not answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refuses access</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server cannot do this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server rejects the request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer makes no sense</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sound was cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The download failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offline mode is on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The license was not accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hub asks who you are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Already being downloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The take cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The take cannot be brought back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The client is too slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server cannot start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clip cannot be transcribed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds values that are not numbers, the first at {at:.2f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the clip again, for example as 16-bit WAV.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has the shape {shape} at {rate} Hz, which is no audio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} cannot be read as audio: it is {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepted kinds: WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF. Convert the clip to one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the audio file {path} does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the name and the folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is a folder, not an audio file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepted kinds: WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} could not be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is empty, it has no bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is a damaged WAV: its header says {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the clip again. Accepted kinds: WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} holds no samples{damaged}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another clip. Accepted kinds: WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} claims {rate} samples a second, which is outside {lowest} to {highest} Hz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its header is probably damaged; export the clip again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} has {channels} channels; at most {limit} can be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export it as mono or stereo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} has a damaged header, which was mended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is damaged or was cut: {promised:.2f} s were promised, {there:.2f} s are there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is damaged or was cut: its end is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is damaged: {bytes} bytes inside it are no sound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is {seconds:.1f} s long; only the first {limit:.1f} s were read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is {seconds:.1f} s long; only the first {limit:.1f} s were read to spare memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is damaged: it could be decoded only up to {seconds:.2f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the channels are in opposite phase; one was turned over so that they do not cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no sound to save yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generate a take first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was written: {bad} of the samples are not numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sound is larger than the 4 GiB that a WAV file can hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as FLAC.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the installed sound library cannot write {format}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another kind, or install soundfile 0.13 or newer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{format} could not be made at {rate} Hz: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose WAV instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{target} would be larger than the 4 GiB that a WAV file can hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it in parts or as FLAC.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{target} was not written: {bad} of its samples are not numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds no samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record 5 to 30 s of one speaker in a quiet room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is {seconds:.2f} s long, too short to clone a voice from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is silent: all its samples are zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The microphone was muted, or this program may not use it. Check and record again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is as good as silent: its peak is {decibel:.0f} dBFS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the input device and its gain. Record 5 to 30 s of one speaker in a quiet room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference audio is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference audio has samples that are not finite numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the recording again as 16-bit WAV.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference audio requires its transcript</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type what is said in the recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference codes must have two axes, codebooks and frames, not {axes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected {num_codebooks} codebooks, got {found}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The codes were made by another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference codes must be whole numbers, not {dtype}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference code out of range: {code} in codebook {row}, frame {frame}; the limit is {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference audio requires its transcript{which}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reference transcript requires its audio{which}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the recording that belongs to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is clipped: {part:.1%} of it sits at full scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is very quiet ({decibel:.0f} dBFS); the voice may come out weak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is {seconds:.1f} s long; only the first {limit:g} s are used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is only {seconds:.2f} s long; 5 to 30 s clone best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} goes {decibel:.0f} dB above full scale and was scaled down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {warning}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reference is {seconds:.1f} s long; {low:.0f} to {high:.0f} s clone best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>codec produced non-finite samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try another seed or the CPU as backend.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model produced non-finite logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file may be damaged; compare its checksum with the publisher&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generation produced no frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try another seed, another text, or a higher minimum of frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the stride must be at least 1, not {stride}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the context must be 0 or more, not {context}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the holdback must be 0 or more, not {holdback}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode mode must be exact or windowed, not {decode_mode}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the stride must be 0 (automatic) or more, not {stride}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pause must be from 0 to 60000 ms, not {pause_ms}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the engine is closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load a model first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{doing}{where} failed: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>truncated or corrupt GGUF header: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged or incomplete; download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a GGUF file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsupported GGUF version {version}{big}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions 2 and 3 can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>duplicate key: {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>duplicate tensor: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inconsistent metadata: {what} is {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected {expected} for key: {key} (found {text}{note})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor {name} uses unsupported quantisation type {type_id}{named}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another variant of the model, such as Q4_K, Q8_0 or F16.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is incomplete: needs {needed} bytes, has {size}; truncated: tensor {name} needs bytes {offset}..{end} but the file has {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing tensor: {first}{also}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: is a folder, not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: is not a regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: cannot be opened: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the path and its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor {name}: row length {length} is not a multiple of {block}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing key: general.architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a GGUF of Fish Audio S2 Pro.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unexpected architecture: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing key: {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: not a GGUF file{reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor {name} has shape {found}, expected {shape}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor {name} belongs to a weight norm that was not folded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the model again with its weight norms folded into plain weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file {title}(architecture {architecture}, {count} tensors) is not a complete S2 Pro model with its codec.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text!r} is not the address of a mirror</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it like https://hf-mirror.example, or leave it empty for the hub itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the access token holds blanks or characters that no token has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it once more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what arrived as {name} cannot be used: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was thrown away. Try again, or another source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not here, and offline mode is on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn offline mode off, or use a file that you have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} arrived with the SHA-256 {found}… in place of {wanted}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was thrown away. Try again; with a mirror, try the hub itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no connection can be opened ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server redirects to nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server redirects to an address without encryption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is refused. Use another mirror.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the certificate of the server is not trusted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the clock of this machine and at the address of the mirror.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network settings of this machine cannot be used ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights are under the {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read it and accept it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} is not here, and offline mode is on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not in the model folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove it where it lies.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be removed ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close whatever uses it, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server sends the request in a circle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server sends more than {name} can be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the address of the mirror, or try the hub itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server has fewer bytes than are here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server answered with status {status} for {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a web page came in place of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign in to the network first, or look at the address of the mirror.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server packs {name} though it was asked not to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use another mirror.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server sent another piece than the one asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server announces {announced} bytes in place of {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file {name} on the server is not the one that is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was changed there, or the mirror is not honest. Nothing was kept of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file was changed on the server; it is fetched anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection ended early</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server asks for patience (status {status})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the storage refused (status {status})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this version is gone; the newest one is asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} has no {name} (status {status})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the address of the mirror, or use a file that you have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is given only to accounts that were let in (status {status})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept the terms on the page of the weights and set an access token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the address that {name} lies at cannot be used ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the address of the mirror.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server has a fault (status {status})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of the server is not known; is this machine online?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no connection to the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server sends nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection was cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection failed ({kind})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} could not be fetched: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try later. What is there is kept; going on begins behind it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again in {minutes} minutes. What is there is kept; going on begins behind it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{needed:.1f} GB are still to come and {free:.1f} GB are free in {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room, or choose a folder on another disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the disk is full: {name} cannot be written on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is there is kept. Make room and go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is too large for the file system of {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder on another disk; FAT32 ends at 4 GB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is already being downloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for it, or stop it in the other window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not enough memory for {capacity} positions of context ({size:.0f} MiB)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower the frame limit, shorten the text, or close other programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of memory on {device} while {doing}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vulkan is not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use --cuda, --metal or the CPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown device {name!r}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use cpu, cuda, cuda:N, mps or xpu.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind} is not available on this machine or in this build of torch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use --device cpu, or install a build of torch for your GPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind} device {number} does not exist: valid are 0 to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} computes wrong results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use --device cpu.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--gpu-layers {gpu_layers} needs an accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select one with --device, or leave the option out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} is listed but cannot run a product: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use --device cpu, or a build of torch made for this GPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model needs at least {needed:.1f} GB of memory beside its file, and {free:.1f} GB are free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close other programs, or use a smaller model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{variable} asks for {name} kernels, which this processor cannot run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set it to {known}, or leave it out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--gpu-layers {gpu_layers} is taken as -1 (all)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--gpu-layers {gpu_layers} is cut to the model&apos;s {block_count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model runs on the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>follows the model&apos;s device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model needs {needed:.1f} GB to run at full speed, and {free:.1f} GB are free: parts of it will be read from the disk again and again; close other programs, or use a smaller model file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the prompt takes {columns} of the model&apos;s {length} columns and leaves no room for speech</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shorten the text, or use fewer or shorter references.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type what the voice shall say.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text holds nothing to speak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type something to say.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt needs {columns} columns but the context holds {context_length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shorten the text or the reference, or speak it sentence by sentence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text of earlier turn {number} is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max chars must be 0 or more, not {max_chars}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text holds half a character (a lone surrogate) at position {at}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete it and type the character again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be read as text ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as plain text in UTF-8 and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the script holds nothing to speak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a text first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than {frames} frames in one pass lose loudness and quality; cut the text into pieces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut at the limit of frames: the text may not be finished; raise the frame limit or shorten the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut at the limit of frames in piece {piece}: the text may not be finished; raise the frame limit or shorten the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the end token {im_end} is not an ordinary id of the model&apos;s {vocab_size} ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the tokenizer.json that belongs to the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer not found: {file} is in none of these folders: {looked}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put tokenizer.json beside the model, or give its path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer not found: {chosen}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the path of the model&apos;s tokenizer.json.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer has {semantic_count} semantic tokens, the model {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer uses ids up to {last}, the model has {vocab_size} of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer is missing required token {content}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the tokenizer.json that was released with the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer JSON parse error: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer turns plain text into the control token {token}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{content} has id {found} in the tokenizer but {expected} in the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer is missing required token &lt;|semantic:{index}|&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the semantic ids of the tokenizer are not contiguous: &lt;|semantic:{index}|&gt; has id {found}, not {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer not found: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer cannot be read: {path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inconsistent metadata: the model has {num_codebooks} codebooks but the codec {codec_codebooks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Get the model file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model cannot be loaded on {device}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no model is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} sends samples of {bits} bits, which are not understood here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the server to 16 bits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text, its voice or its transcript holds half a character (a lone surrogate)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} takes a top-k of at most {top_k_limit}, not {top_k}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower it, or use 0 for no limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} takes no recordings, so it cannot clone a voice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of its own voices, or another server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server has no voice {voice!r}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has: {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a server speaks with one voice in a request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let one speaker speak, or use the model on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voice holds codes, and servers take recordings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model on this computer, which turns the codes into sound for the server, or choose a voice of the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>servers make no codes of recordings and no sound of codes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model on this computer for that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} takes a {name} from {low:g} to {high:g}, not {value:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came until then is kept. Look at the server&apos;s log, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an event of the server has no end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} ended the stream without saying that it is complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} sent an event that cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the kind by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} sent sound that is no base64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody answers at {host}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the server there, or correct the address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection to {host} was lost: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the certificate of {host} cannot be trusted: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use an address that its certificate is made for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} did not answer within {seconds:.0f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address, and that the server runs and can be reached from here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} sent nothing within {seconds:.0f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may be loading its model or be overloaded. Try again later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} sent nothing more for {seconds:.0f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came until then is kept. Look at the server, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer of {host} cannot be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} broke the connection off before the answer was complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the address of the server is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it like http://127.0.0.1:3030.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text!r} is no HTTP address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the address holds a user name or a password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a key as the API key instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no kind of server {kind!r}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use one of {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the API key holds blanks or characters that no key has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text!r} is no address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} answers, but has no speech API</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check address and port, or choose the kind of server by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} sent {kind} instead of sound{words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the kind of server by hand, or another address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} answered with a web page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the address of a website or a proxy; use that of the speech API.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} points to {target}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use that address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sound of the server is no WAV that can be played: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the kind of server by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server says that its sound has {channels} channels at {rate} Hz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the settings of the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sound ended within its header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sound ended {missing} bytes before the end that its header tells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came until then is kept. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not begin like one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not say what its samples are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has {channels} channels at {rate} Hz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its samples are of the kind {tag} with {bits} bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its header has no end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server sent no sound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try another text or voice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host}: {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} answered with status {status}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a server does not carry the melody from piece to piece</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the client read nothing for {waited:.0f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no port {port}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one from 0 to {limit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server runs already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server did not come up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See the log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the address {host} is not known: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check --host.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot listen on {host} port {port}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another port, or stop the program that uses it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server needs a library that is not installed: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install it: pip install &quot;s2-voice-studio[server]&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{target} could not be written: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no room left to write {target}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some space or save elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{target} may not be written, or another program holds it open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the other program, or choose another name or folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder for {target} does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder that exists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{target} is a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a file name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file name {target} is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a shorter one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program that reads {target} closed the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name {target} cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{target} exists already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} cannot be made ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the take could not be moved: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close programs that use it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{take_id!r} is no name of a take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its sound is damaged or cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the take is no longer in the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{trash} is a link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the link.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the take does not exist any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its sound cannot be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} is a link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its sound is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name template holds {field}, which is unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known are {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} holds no story</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} holds a code out of range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} cannot be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} is of an unknown form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} is damaged: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its codes cannot be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no codec</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what the file says about itself is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use it as a recording instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds no codes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generate it again with its seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the take was made by a model with another codec: {differences}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the model {model}, or play the file as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was saved in the form {form}, which is unknown here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install a newer version of the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be opened: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what the file says about itself is damaged or cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what the file says is damaged: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the codes of the take cannot be used: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they have another number of codebooks than the take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>codes must be whole numbers with two axes: codebooks, frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>codes of the shape {shape} cannot be kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a code is out of range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are too many codes to keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they are cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their version {version} is unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their header is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their size makes no sense</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are too many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their checksum is wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one is out of range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their length is wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they are damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature must be from 0 to below 2, not {temperature:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-p must be above 0 and at most 1, not {top_p:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-k must be 0 (no limit) or more, not {top_k}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max tokens must be at least 1, not {max_new_tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min tokens before end must be 0 or more, not {min_tokens_before_end}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the seed must be from 0 to 2^64 - 1, not {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed to save voice profile: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason: {reason}. Check the folder {folder} and save again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid voice name: {voice_id!r}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use at most 255 letters, digits, blanks, &apos;-&apos;, &apos;_&apos; and &apos;.&apos;, no blank or &apos;.&apos; at either end, and no device name such as CON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voice name is too long for a file name: {voice_id!r}...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice path is outside the voice directory: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the link by the file itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no voice named {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed to remove voice profile: {voice_id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voice name {voice_id} differs from the existing {stem} only in letter case or accents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a name that differs more, or rename the other voice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot open voice profile: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason: {reason}. Choose another voice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice codes must be whole numbers with two axes: codebooks, frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot save voice profile without transcript</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice profile incompatible with current model/codec: {differences}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the voice again with this model, from its recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice profile has no transcript</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the voice again, with its transcript.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice profile contains out-of-range codes: {code} in codebook {row}, whose limit in this model is {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice profile already exists: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name, or allow overwriting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voice of this take is one of a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect to the server in the engine panel, or choose another voice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voice {voice} of this take is not in the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import it, or put the settings back and choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{new}” cannot be the name of a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use letters, digits, blanks, - and _ only, for example “{fixed}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no voice named {voice_id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may have been deleted elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voice {voice_id} was saved, but not its notes ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} could not be renamed ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close programs that hold it open and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is taken by another voice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename that one, then undo again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{voice_id} is not in the trash any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was emptied meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} could not be moved to the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the voices folder and delete it there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} could not be taken back ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for it in the trash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder {folder} holds no voices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voices here: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voice profile has {extra} unknown bytes at its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transcript not null-terminated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid voice profile transcript</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>truncated voice profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid voice profile magic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsupported voice profile version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid voice profile transcript length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice profile too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid voice profile codes size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>invalid voice profile header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice profile codes do not match its header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voice profile contains out-of-range codes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a fault of the program. Please report it with the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Please report this fault of the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sound output “{title}” could not be opened ({reason}). Choose another one; saving works without.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sound output needs the Python package sounddevice, which is not installed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sound library PortAudio was not found. On Debian or Ubuntu install the package libportaudio2, then start again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sound devices cannot be listed ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The microphone “{title}” could not be opened ({reason}). Close programs that use it, choose another one, or open a sound file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sound output was found. Connect one and choose Rescan; saving works without.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No microphone was found. Connect one and choose Rescan, or open a sound file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds only digital silence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The microphone was muted, or the export went wrong. Choose another clip.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no reference clip is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record or open one, or choose another voice of the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder {name} holds no transcription model: {missing} missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder of a faster-whisper model, which holds model.bin, config.json and tokenizer.json. Typing the transcript works too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the clip is {seconds:.0f} s long; at most {limit:.0f} s can be transcribed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trim it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install it with: {command}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the language of the model, or a multilingual model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again, or type the transcript.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its answer makes no sense</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no speech was found in the clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the transcription ended unexpectedly (code {exit}){reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the transcription cannot start: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This package of the program was built without it. Install the program with Python to get it: {command}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install it, then start the program again: {command}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transcription needs the optional part faster-whisper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder of a faster-whisper model, which holds model.bin, config.json and tokenizer.json, such as Systran/faster-whisper-base from huggingface.co. Typing the transcript works too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No transcription model was chosen yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped by the user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the engine is busy with another job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for it or stop it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the server&apos;s API key, or correct it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask whoever runs the server to allow it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address, the kind of server and the names of model and voice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shorten the text or the reference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change what it names, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The machine behind it does not answer. Try again later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the server&apos;s log, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again in {seconds} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged or no voice profile; make the voice again from its recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged or no voice profile; make the voice again from its recording. File: {source}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close other programs, shorten the text or the reference, or use a smaller model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use fewer --gpu-layers, --codec-cpu, a smaller model file, or --device cpu.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try fewer --gpu-layers or --device cpu.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generate it again, or delete it from the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{step} {kept}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audio is still in memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sound was resampled from {rate} to {target} Hz for {format}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{format} has no room for such a long text; the take is not in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the codes are not in the file: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{format} has no room for so many codes; they are not in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record a longer clip.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trim it to 30 s or less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clip is {seconds:.1f} s long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is clipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clip is clipped in {count} place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clip is clipped in {count} places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower the input gain and record again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply a gain of {gain:+.1f} dB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply a gain of {gain:+.1f} dB, or record with less input gain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply a gain of {gain:+.1f} dB. Better: move closer to the microphone and record again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The speech is at {level:.0f} dBFS.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record in a quieter room, with short pauses and without music or echo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The background is {distance:.0f} dB below the speech.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are {before:.1f} s of silence before and {after:.1f} s after the speech.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trim to {first:.2f} - {last:.2f} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clip ends in a pause.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the recording run for a moment after the last word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut the clip in the pause at {at:.2f} s, and its transcript with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clip seems to stop inside a word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The microphone is muted or this program may not use it; check and record again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clip holds only zeros.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{percent:.0f} % of the clip is digital silence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trim it; if it has gaps, record again without a noise gate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clip is mono.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {channels} channels fit together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The channels work against each other (correlation {correlation:.2f}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record in mono, or keep only the better channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One channel is turned over when the clip is used. Better: record in mono.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a recording of better quality, not from a telephone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sound reaches up to {top:.1f} kHz.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type or transcribe every word that is said in the clip.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The transcript is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The transcript makes {pace:.0f} characters a second of speech.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It seems to cover only a part of the clip: complete it, or trim the clip.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds more than can be said in the clip: shorten it, or use the whole clip.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EnginePanel</name>
    <message>
        <source>Streaming</source>
        <translation>流式输出</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Windowed</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source> frames</source>
        <translation> 帧</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>Holdback</source>
        <translation>保留帧</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Start buffer</source>
        <translation>起播缓冲</translation>
    </message>
    <message>
        <source>Low latency</source>
        <translation>低延迟</translation>
    </message>
    <message>
        <source>Stride 1, no holdback, no start buffer.</source>
        <translation>步长 1，无保留帧，无起播缓冲。</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Higher is livelier and less sure; 0 is always the likeliest.</source>
        <translation>越高越生动但越不稳定；0 总是取最可能的结果。</translation>
    </message>
    <message>
        <source>Keeps the likeliest codes up to this share; lower is calmer.</source>
        <translation>保留累计概率达到此比例的编码；越低越平稳。</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Keeps this many of the likeliest codes; 0 is no limit.</source>
        <translation>只保留最可能的若干编码；0 表示不限。</translation>
    </message>
    <message>
        <source>A take is cut here, and the window says so.</source>
        <translation>语音在此处截断，窗口会提示。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Max frames</source>
        <translation>最多帧数</translation>
    </message>
    <message>
        <source>Decodes a window again, like s2.cpp.</source>
        <translation>像 s2.cpp 一样重复解码一个窗口。</translation>
    </message>
    <message>
        <source>Each frame once, nothing held back.</source>
        <translation>每帧只解码一次，不保留。</translation>
    </message>
    <message>
        <source>  ({seconds:.0f} s)</source>
        <translation>（{seconds:.0f} 秒）</translation>
    </message>
    <message>
        <source>Frames decoded again for each piece.</source>
        <translation>每一块重复解码的帧数。</translation>
    </message>
    <message>
        <source>Counts in windowed mode only.</source>
        <translation>仅在窗口模式下有效。</translation>
    </message>
    <message>
        <source>Set by low latency.</source>
        <translation>由低延迟预设决定。</translation>
    </message>
    <message>
        <source>Larger costs less and reacts later.</source>
        <translation>越大开销越小，但响应越慢。</translation>
    </message>
    <message>
        <source>Automatic equals the context.</source>
        <translation>自动时等于上下文。</translation>
    </message>
    <message>
        <source>Exact needs none; it only delays.</source>
        <translation>精确模式不需要，只会增加延迟。</translation>
    </message>
    <message>
        <source>Follows the measured speed.</source>
        <translation>随测得的速度调整。</translation>
    </message>
    <message>
        <source>Sound at hand before playing starts.</source>
        <translation>开始播放前积累的声音。</translation>
    </message>
</context>
<context>
    <name>ErrorDialog</name>
    <message>
        <source>S2 Voice Studio</source>
        <translation>S2 Voice Studio</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>ExportController</name>
    <message>
        <source>Save take</source>
        <translation>保存语音</translation>
    </message>
    <message>
        <source>Save elsewhere…</source>
        <translation>保存到别处…</translation>
    </message>
    <message>
        <source>Saved as {name}.</source>
        <translation>已保存为 {name}。</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示文件夹</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export take</source>
        <translation>导出语音</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>May hold {fields}</source>
        <translation>可包含 {fields}</translation>
    </message>
    <message>
        <source>File that will be written</source>
        <translation>将写入的文件</translation>
    </message>
    <message>
        <source>The file carries text, voice name, seed, settings and codes. Drop it on the window and the take comes back.</source>
        <translation>文件中带有文本、音色名称、种子、设置和编码。把它拖到窗口上即可恢复这条语音。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>This folder does not exist.</source>
        <translation>此文件夹不存在。</translation>
    </message>
    <message>
        <source>{rate} Hz, as the model made it</source>
        <translation>{rate} Hz，模型原始采样率</translation>
    </message>
    <message>
        <source>{rate} Hz, resampled from {source} Hz</source>
        <translation>{rate} Hz，由 {source} Hz 重采样</translation>
    </message>
</context>
<context>
    <name>FaultyClip</name>
    <message>
        <source>The clip is not good enough yet</source>
        <translation>片段质量还不够好</translation>
    </message>
    <message>
        <source>Go back and mend it</source>
        <translation>返回修正</translation>
    </message>
    <message>
        <source>Save anyway</source>
        <translation>仍然保存</translation>
    </message>
</context>
<context>
    <name>FolderRow</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: {what}</source>
        <translation>选择：{what}</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Back to the usual one: {what}</source>
        <translation>恢复默认：{what}</translation>
    </message>
</context>
<context>
    <name>GetModelDialog</name>
    <message>
        <source>License: the weights may be used for research and other non-commercial purposes under the Fish Audio Research License. Commercial use needs a license from Fish Audio.</source>
        <translation>许可：根据 Fish Audio Research License，权重可用于研究和其他非商业用途。商业用途须获得 Fish Audio 的许可。</translation>
    </message>
    <message>
        <source>1. Let the studio fetch it: File &gt; Models lists the files with what they need and whether they fit this machine. q4_k_m (3.6 GB) is the smallest good choice, q8_0 (5.6 GB) is close to the original. The tokenizer comes along.</source>
        <translation>1. 让工作室下载：“文件 &gt; 模型”列出各个文件、所需内存以及是否适合这台电脑。q4_k_m（3.6 GB）是最小的合适选择，q8_0（5.6 GB）接近原版。分词器会一并下载。</translation>
    </message>
    <message>
        <source>2. Or use files that you have: put the GGUF file and its tokenizer.json into one folder, then open the GGUF file with Ctrl+O or drop it on the window.</source>
        <translation>2. 或使用您已有的文件：把 GGUF 文件和它的 tokenizer.json 放进同一个文件夹，然后用 Ctrl+O 打开 GGUF 文件，或把它拖到窗口上。</translation>
    </message>
    <message>
        <source>Nothing is fetched from the network unless you ask for it there.</source>
        <translation>除非您在那里提出要求，否则不会从网络下载任何内容。</translation>
    </message>
    <message>
        <source>How to get S2 Pro</source>
        <translation>如何获取 S2 Pro</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>Open the page of the weights</source>
        <translation>打开权重页面</translation>
    </message>
</context>
<context>
    <name>JobHandle</name>
    <message>
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Encoding the clip: {done} of {total}</source>
        <translation>正在编码片段：{done}/{total}</translation>
    </message>
    <message>
        <source>Decoding codes: {done} of {total}</source>
        <translation>正在解码：{done}/{total}</translation>
    </message>
    <message>
        <source>Reading the prompt: {done} of {total}</source>
        <translation>正在读取提示：{done}/{total}</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>LevelMeter</name>
    <message>
        <source>Input level</source>
        <translation>输入电平</translation>
    </message>
    <message>
        <source>{db:.0f} dBFS</source>
        <translation>{db:.0f} dBFS</translation>
    </message>
</context>
<context>
    <name>LicensePage</name>
    <message>
        <source>In short, and in our words:</source>
        <translation>要点（以我们的话概述）：</translation>
    </message>
    <message>
        <source>Read the whole license</source>
        <translation>阅读许可证全文</translation>
    </message>
    <message>
        <source>Opens the page in your browser.</source>
        <translation>在浏览器中打开该页面。</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Accept and download</source>
        <translation>接受并下载</translation>
    </message>
    <message>
        <source>License of the weights: {name}</source>
        <translation>权重的许可证：{name}</translation>
    </message>
    <message>
        <source>Free of charge for research and for other uses that are not meant to earn money, such as private use and trying things out.</source>
        <translation>用于研究以及其他不以营利为目的的用途（例如个人使用和试用）免费。</translation>
    </message>
    <message>
        <source>Commercial use, also inside a company, needs a written license from Fish Audio (business@fish.audio).</source>
        <translation>商业使用（包括公司内部使用）需要 Fish Audio 的书面许可（business@fish.audio）。</translation>
    </message>
    <message>
        <source>Whoever passes on the weights, or something made with them, hands over the license text, keeps its notice and shows “Built with Fish Audio”.</source>
        <translation>转交权重或用其制作的内容时，须附上许可证文本、保留其声明，并标明 “Built with Fish Audio”。</translation>
    </message>
    <message>
        <source>The law and Fish Audio&apos;s rules of acceptable use apply to the weights and to what is made with them.</source>
        <translation>法律以及 Fish Audio 的可接受使用规则适用于权重及用其制作的内容。</translation>
    </message>
    <message>
        <source>What the model makes may not be used to make another foundation model. The sound that you make belongs to you.</source>
        <translation>不得用模型的输出来制作其他基础模型。您制作的声音归您所有。</translation>
    </message>
    <message>
        <source>There is no warranty and no liability; breaking the terms ends the license.</source>
        <translation>不提供担保，也不承担责任；违反条款即终止许可。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>S2 Voice Studio</source>
        <translation>S2 Voice Studio</translation>
    </message>
    <message>
        <source>State of the engine</source>
        <translation>引擎状态</translation>
    </message>
    <message>
        <source>Drop to open this model</source>
        <translation>松开以打开此模型</translation>
    </message>
    <message>
        <source>Drop to add this voice</source>
        <translation>松开以添加此音色</translation>
    </message>
    <message>
        <source>Drop to make this the script</source>
        <translation>松开以将其作为文稿</translation>
    </message>
    <message>
        <source>Drop a take to bring it back, or a clip to make a voice of it</source>
        <translation>松开以恢复语音，或用片段制作音色</translation>
    </message>
</context>
<context>
    <name>ManualDialog</name>
    <message>
        <source>Manual</source>
        <translation>使用手册</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>No chapter has this word.</source>
        <translation>没有包含该词的章节。</translation>
    </message>
    <message>
        <source>Text of the chapter</source>
        <translation>章节正文</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>{free} free</source>
        <translation>空闲 {free}</translation>
    </message>
    <message>
        <source>needs {needed}</source>
        <translation>需要 {needed}</translation>
    </message>
    <message>
        <source>needs {needed}, only {free} free</source>
        <translation>需要 {needed}，仅剩 {free}</translation>
    </message>
    <message>
        <source>tight: {needed} of {free} free</source>
        <translation>紧张：需 {needed}，空闲 {free}</translation>
    </message>
    <message>
        <source>needs {needed}, {free} free</source>
        <translation>需要 {needed}，空闲 {free}</translation>
    </message>
    <message>
        <source>Weights {weights}, keys and values of the frame budget {cache}, codec {codec}, program {rest}.</source>
        <translation>权重 {weights}，帧数预算的键值缓存 {cache}，编解码器 {codec}，程序 {rest}。</translation>
    </message>
</context>
<context>
    <name>MicrophoneRow</name>
    <message>
        <source>Microphone</source>
        <translation>麦克风</translation>
    </message>
    <message>
        <source>Look for microphones again</source>
        <translation>重新查找麦克风</translation>
    </message>
    <message>
        <source>Listen: show the level before recording</source>
        <translation>监听：录制前显示电平</translation>
    </message>
    <message>
        <source>No microphone</source>
        <translation>没有麦克风</translation>
    </message>
</context>
<context>
    <name>ModelDetails</name>
    <message>
        <source>Progress of the download</source>
        <translation>下载进度</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Throw away</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Reads the whole file and compares its SHA-256 with the published one.</source>
        <translation>读取整个文件，并将其 SHA-256 与公布的值比较。</translation>
    </message>
    <message>
        <source>Moves the file to the trash.</source>
        <translation>将文件移到回收站。</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>Damaged: it is not the file that was published.</source>
        <translation>已损坏：它不是发布的那个文件。</translation>
    </message>
    <message>
        <source>{size}, {quantisation}, and {rest} of tokenizer and license</source>
        <translation>{size}，{quantisation}，另有分词器和许可证 {rest}</translation>
    </message>
    <message>
        <source>not published</source>
        <translation>未公布</translation>
    </message>
    <message>
        <source>told by the hub when it is fetched, and checked then</source>
        <translation>下载时由下载站给出并校验</translation>
    </message>
    <message>
        <source>{done} of {total}, kept for going on</source>
        <translation>{total} 中的 {done}，已保留以便继续</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{total} 中的 {done}</translation>
    </message>
    <message>
        <source>trying again in {seconds} s</source>
        <translation>{seconds} 秒后重试</translation>
    </message>
    <message>
        <source>{count} s left</source>
        <translation>剩余 {count} 秒</translation>
    </message>
    <message>
        <source>{count} min left</source>
        <translation>剩余 {count} 分钟</translation>
    </message>
    <message>
        <source>{count} h left</source>
        <translation>剩余 {count} 小时</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Download again</source>
        <translation>重新下载</translation>
    </message>
    <message>
        <source>Download {size}</source>
        <translation>下载 {size}</translation>
    </message>
    <message>
        <source>Offline mode is on.</source>
        <translation>离线模式已开启。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>ModelListModel</name>
    <message>
        <source>waiting for its turn</source>
        <translation>等待轮到它</translation>
    </message>
    <message>
        <source>being checked, {share} %</source>
        <translation>正在校验，{share} %</translation>
    </message>
    <message>
        <source>open now</source>
        <translation>当前已打开</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>checking what is here</source>
        <translation>正在检查已有部分</translation>
    </message>
    <message>
        <source>trying again</source>
        <translation>正在重试</translation>
    </message>
    <message>
        <source>downloading, {share} %</source>
        <translation>正在下载，{share} %</translation>
    </message>
    <message>
        <source>paused at {share} %</source>
        <translation>已暂停于 {share} %</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>not here</source>
        <translation>本地没有</translation>
    </message>
    <message>
        <source>here, in the cache of the hub</source>
        <translation>已有，在下载站的缓存中</translation>
    </message>
    <message>
        <source>here, checked</source>
        <translation>已有，已校验</translation>
    </message>
    <message>
        <source>here</source>
        <translation>已有</translation>
    </message>
    <message>
        <source>fits the memory</source>
        <translation>内存足够</translation>
    </message>
    <message>
        <source>tight in memory</source>
        <translation>内存紧张</translation>
    </message>
    <message>
        <source>too large for the memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>A file of your own.</source>
        <translation>您自己的文件。</translation>
    </message>
    <message>
        <source>The smallest good choice, for most computers.</source>
        <translation>最小的合适选择，适合大多数电脑。</translation>
    </message>
    <message>
        <source>A little closer to the original than Q4.</source>
        <translation>比 Q4 更接近原版一些。</translation>
    </message>
    <message>
        <source>A good balance of size and closeness.</source>
        <translation>大小与接近程度的良好平衡。</translation>
    </message>
    <message>
        <source>Hardly to be told from the original.</source>
        <translation>几乎与原版无法区分。</translation>
    </message>
    <message>
        <source>Not quantised at all, for comparing and for large memories.</source>
        <translation>完全未量化，用于比较和大内存电脑。</translation>
    </message>
    <message>
        <source>For little memory; short words may be drawn out.</source>
        <translation>适合内存少的电脑；短词可能被拖长。</translation>
    </message>
    <message>
        <source>The smallest there is, for trials only.</source>
        <translation>最小的一个，仅供试用。</translation>
    </message>
</context>
<context>
    <name>ModelLoader</name>
    <message>
        <source>The engine is busy. Stop it first, then open the model.</source>
        <translation>引擎正忙。请先停止，再打开模型。</translation>
    </message>
    <message>
        <source>Loading the model{part}</source>
        <translation>正在加载模型{part}</translation>
    </message>
    <message>
        <source>Asking the server</source>
        <translation>正在询问服务器</translation>
    </message>
    <message>
        <source>Opening the model was stopped.</source>
        <translation>已停止打开模型。</translation>
    </message>
</context>
<context>
    <name>ModelManager</name>
    <message>
        <source>Throw away</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Throw away {size} of {name}?</source>
        <translation>丢弃 {name} 已下载的 {size}？</translation>
    </message>
    <message>
        <source>A pause keeps it, and going on begins behind it.</source>
        <translation>暂停会保留它，之后从断点继续。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>there is no trash for this folder</source>
        <translation>此文件夹没有回收站</translation>
    </message>
    <message>
        <source>{name} is in the trash.</source>
        <translation>{name} 已移到回收站。</translation>
    </message>
    <message>
        <source>{name} is here.</source>
        <translation>{name} 已就绪。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>It is the file that was published.</source>
        <translation>它就是发布的那个文件。</translation>
    </message>
    <message>
        <source>Its SHA-256 is another one: download it again.</source>
        <translation>它的 SHA-256 不同：请重新下载。</translation>
    </message>
    <message>
        <source>No SHA-256 was published for it, so it cannot be compared.</source>
        <translation>没有公布它的 SHA-256，因此无法比较。</translation>
    </message>
    <message>
        <source>Open the page of the weights</source>
        <translation>打开权重页面</translation>
    </message>
    <message>
        <source>Turn offline mode off</source>
        <translation>关闭离线模式</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>ModelOpening</name>
    <message>
        <source>The program ended while {name} was being opened, so it is not opened again by itself.</source>
        <translation>上次打开 {name} 时程序意外结束，因此不会自动再次打开。</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Load on the CPU</source>
        <translation>在 CPU 上加载</translation>
    </message>
    <message>
        <source>This is a stand-in model: it makes noise, not speech. It is there to look around in the studio.</source>
        <translation>这是替代模型：它只会发出噪声，不会说话，仅供熟悉工作室之用。</translation>
    </message>
    <message>
        <source>{name} was tried and works. It is usually faster than the CPU.</source>
        <translation>{name} 经测试可用，通常比 CPU 快。</translation>
    </message>
    <message>
        <source>How to get S2 Pro…</source>
        <translation>如何获取 S2 Pro…</translation>
    </message>
    <message>
        <source>This is the small demo voice that comes with the studio: a robot with two speakers. S2 Pro sounds far better and clones voices.</source>
        <translation>这是工作室自带的小型演示语音：一个有两个说话人的机器人。S2 Pro 的音质要好得多，而且能克隆音色。</translation>
    </message>
    <message>
        <source>Open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf);;All files (*)</source>
        <translation>GGUF 模型 (*.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open another model…</source>
        <translation>打开其他模型…</translation>
    </message>
    <message>
        <source>{name} may not fit into the memory.</source>
        <translation>内存可能放不下 {name}。</translation>
    </message>
    <message>
        <source>It needs {needed} and {free} are free on {device}. The computer may become very slow. A smaller file (q4_k_m), fewer max frames or closing other programs helps.</source>
        <translation>它需要 {needed}，而 {device} 上空闲 {free}。电脑可能会变得很慢。换用更小的文件（q4_k_m）、减少最多帧数或关闭其他程序会有帮助。</translation>
    </message>
    <message>
        <source>Open anyway</source>
        <translation>仍然打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
</context>
<context>
    <name>ModelsDialog</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model files</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>Use my own file…</source>
        <translation>使用我自己的文件…</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>NameTaken</name>
    <message>
        <source>“{name}” is there already</source>
        <translation>“{name}”已存在</translation>
    </message>
    <message>
        <source>Replacing moves the old voice to the system&apos;s trash.</source>
        <translation>替换会将旧音色移到系统回收站。</translation>
    </message>
    <message>
        <source>Save as “{name}”</source>
        <translation>存为“{name}”</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
</context>
<context>
    <name>NetworkForm</name>
    <message>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Offline: never touch the network</source>
        <translation>离线：绝不访问网络</translation>
    </message>
    <message>
        <source>Offline mode</source>
        <translation>离线模式</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>none, or HF_TOKEN</source>
        <translation>无，或 HF_TOKEN</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>For gated files. It goes to huggingface.co only.</source>
        <translation>用于受限文件。只会发给 huggingface.co。</translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Write it like https://hf-mirror.example.</source>
        <translation>请写成 https://hf-mirror.example 的形式。</translation>
    </message>
    <message>
        <source>Empty is the hub itself. What comes is checked by its SHA-256.</source>
        <translation>留空即为原站。收到的内容按 SHA-256 校验。</translation>
    </message>
</context>
<context>
    <name>NoteLine</name>
    <message>
        <source>Notes on the script</source>
        <translation>文稿提示</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Go to the place of this note</source>
        <translation>转到此提示的位置</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number}/{count}</translation>
    </message>
</context>
<context>
    <name>PlacementForm</name>
    <message>
        <source>Choose or get…</source>
        <translation>选择或获取…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU 层数</translation>
    </message>
    <message>
        <source>Layers that the accelerator takes; fewer need less of its memory.</source>
        <translation>由加速器承担的层数；层数越少，占用的显存越少。</translation>
    </message>
    <message>
        <source>automatic ({count})</source>
        <translation>自动（{count}）</translation>
    </message>
    <message>
        <source>Cores that work at once; automatic takes the real ones.</source>
        <translation>同时工作的核心数；自动时使用物理核心。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Like the backend</source>
        <translation>与后端相同</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Codec</source>
        <translation>编解码器</translation>
    </message>
    <message>
        <source>Load again to apply</source>
        <translation>重新加载以应用</translation>
    </message>
    <message>
        <source>Automatic takes the faster one.</source>
        <translation>自动选择较快的一个。</translation>
    </message>
    <message>
        <source>Runs on {device}.</source>
        <translation>在 {device} 上运行。</translation>
    </message>
    <message>
        <source>Ready: a test product ran on it.</source>
        <translation>就绪：已实际运算验证。</translation>
    </message>
    <message>
        <source>Where the language model runs.</source>
        <translation>语言模型在哪里运行。</translation>
    </message>
    <message>
        <source>CPU ({count} threads)</source>
        <translation>CPU（{count} 线程）</translation>
    </message>
    <message>
        <source>{name} (does not work)</source>
        <translation>{name}（无法工作）</translation>
    </message>
    <message>
        <source>{name} (not found)</source>
        <translation>{name}（未找到）</translation>
    </message>
    <message>
        <source>on a GPU only</source>
        <translation>仅适用于 GPU</translation>
    </message>
    <message>
        <source>no GPU found</source>
        <translation>未找到 GPU</translation>
    </message>
    <message>
        <source>It would fit on {name}: {free} free.</source>
        <translation>{name} 放得下：空闲 {free}。</translation>
    </message>
</context>
<context>
    <name>Player</name>
    <message>
        <source>The chosen sound output is not there; the system default plays.</source>
        <translation>所选的声音输出不存在；改由系统默认设备播放。</translation>
    </message>
    <message>
        <source>The sound output did not start ({error}).</source>
        <translation>声音输出未能启动（{error}）。</translation>
    </message>
    <message>
        <source>The sound output was lost. Generation goes on.</source>
        <translation>声音输出已断开。生成继续进行。</translation>
    </message>
</context>
<context>
    <name>QualityLights</name>
    <message>
        <source>What the chosen check found</source>
        <translation>所选检查的结果</translation>
    </message>
    <message>
        <source>Checks of the clip</source>
        <translation>片段检查</translation>
    </message>
    <message>
        <source>✓ {count} more</source>
        <translation>✓ 另有 {count} 项</translation>
    </message>
    <message>
        <source>less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show all checks</source>
        <translation>显示所有检查</translation>
    </message>
    <message>
        <source>Cure of the chosen check</source>
        <translation>所选检查的补救方法</translation>
    </message>
    <message>
        <source>good</source>
        <translation>良好</translation>
    </message>
    <message>
        <source>could be better</source>
        <translation>有待改进</translation>
    </message>
    <message>
        <source>bad</source>
        <translation>不合格</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>缺少文本</translation>
    </message>
    <message>
        <source>length {0} s</source>
        <translation>时长 {0} 秒</translation>
    </message>
    <message>
        <source>clipping {0}×</source>
        <translation>削波 {0} 处</translation>
    </message>
    <message>
        <source>level {0} dB</source>
        <translation>电平 {0} dB</translation>
    </message>
    <message>
        <source>noise −{0} dB</source>
        <translation>噪声 −{0} dB</translation>
    </message>
    <message>
        <source>silence {0} s</source>
        <translation>静音 {0} 秒</translation>
    </message>
    <message>
        <source>ending −{0} dB</source>
        <translation>结尾 −{0} dB</translation>
    </message>
    <message>
        <source>zeros {0} %</source>
        <translation>零值 {0} %</translation>
    </message>
    <message>
        <source>channels {0}</source>
        <translation>声道 {0}</translation>
    </message>
    <message>
        <source>up to {0} kHz</source>
        <translation>带宽 {0} kHz</translation>
    </message>
    <message>
        <source>text {0}/s</source>
        <translation>文本 {0} 字/秒</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>S2 Voice Studio</source>
        <translation>S2 Voice Studio</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
</context>
<context>
    <name>RecentFiles</name>
    <message>
        <source>{name} (not there)</source>
        <translation>{name}（不存在）</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>清空列表</translation>
    </message>
</context>
<context>
    <name>Recorder</name>
    <message>
        <source>The microphone did not start ({error}). Choose another one, or open a sound file.</source>
        <translation>麦克风未能启动（{error}）。请选择其他麦克风，或打开声音文件。</translation>
    </message>
    <message>
        <source>The chosen microphone is not there; the system default listens.</source>
        <translation>所选麦克风不存在；改用系统默认设备。</translation>
    </message>
    <message>
        <source>The recording reached its limit of {seconds} s and was ended.</source>
        <translation>录制达到 {seconds} 秒上限，已结束。</translation>
    </message>
    <message>
        <source>Nothing was recorded. Check the microphone and record again.</source>
        <translation>没有录到任何声音。请检查麦克风后重新录制。</translation>
    </message>
    <message>
        <source>The microphone gave only digital silence: it is muted, or this program may not use it. Allow access in the system settings and record again.</source>
        <translation>麦克风只给出数字静音：它被静音，或本程序无权使用。请在系统设置中允许访问后重新录制。</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>录制中</translation>
    </message>
    <message>
        <source>The device lost sound {count} times; record again if it is heard.</source>
        <translation>设备丢失声音 {count} 次；若能听出来请重新录制。</translation>
    </message>
    <message>
        <source>{seconds} s were lost because the computer was too busy.</source>
        <translation>因电脑过忙丢失了 {seconds} 秒。</translation>
    </message>
    <message>
        <source>It holds {seconds} s of digital silence; the microphone was off then.</source>
        <translation>其中有 {seconds} 秒数字静音；当时麦克风是关闭的。</translation>
    </message>
    <message>
        <source>The microphone was lost; this is what came before.</source>
        <translation>麦克风已断开；这是断开之前的内容。</translation>
    </message>
    <message>
        <source>The microphone was lost. What was recorded is kept.</source>
        <translation>麦克风已断开。已录内容被保留。</translation>
    </message>
    <message>
        <source>The microphone was lost. Choose another one, or rescan.</source>
        <translation>麦克风已断开。请选择其他麦克风或重新扫描。</translation>
    </message>
</context>
<context>
    <name>ReferencePanel</name>
    <message>
        <source>Reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>New voice</source>
        <translation>新音色</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a sound file. It can be dropped on the window too.</source>
        <translation>打开声音文件，也可以拖到窗口上。</translation>
    </message>
    <message>
        <source>Recent clips</source>
        <translation>最近的片段</translation>
    </message>
    <message>
        <source>Play the clip</source>
        <translation>播放片段</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>What the model hears: the clip as the codec gives it back</source>
        <translation>模型听到的：经编解码器还原的片段</translation>
    </message>
    <message>
        <source>Cut the silence at both ends</source>
        <translation>剪掉两端的静音</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Length of what is kept</source>
        <translation>保留部分的时长</translation>
    </message>
    <message>
        <source>Record 5 to 30 s of one speaker, or drop a sound file</source>
        <translation>录制一位说话者 5 到 30 秒，或拖入声音文件</translation>
    </message>
    <message>
        <source>{kept} of {whole}</source>
        <translation>{kept}/{whole}</translation>
    </message>
    <message>
        <source>Undo: {step}</source>
        <translation>撤销：{step}</translation>
    </message>
    <message>
        <source>trim</source>
        <translation>修剪</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Record from the microphone</source>
        <translation>从麦克风录制</translation>
    </message>
    <message>
        <source>Stop recording (Esc)</source>
        <translation>停止录制（Esc）</translation>
    </message>
    <message>
        <source>{seconds} of {limit} s</source>
        <translation>{seconds}/{limit} 秒</translation>
    </message>
</context>
<context>
    <name>RemoteController</name>
    <message>
        <source>The engine speaks. Stop it first, then connect.</source>
        <translation>引擎正在生成。请先停止，再连接。</translation>
    </message>
    <message>
        <source>Asking {host}…</source>
        <translation>正在询问 {host}…</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>Takes are still made by {host}.</source>
        <translation>语音仍由 {host} 生成。</translation>
    </message>
    <message>
        <source>Not connected: takes are made on this computer.</source>
        <translation>未连接：语音在本机生成。</translation>
    </message>
</context>
<context>
    <name>RemoteForm</name>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Remote server</source>
        <translation>远程服务器</translation>
    </message>
    <message>
        <source>Speaks on</source>
        <translation>生成位置</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Ask the server</source>
        <translation>询问服务器</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>Keep the key</source>
        <translation>保存密钥</translation>
    </message>
    <message>
        <source>It is kept readable in the settings file, for everyone who can read that.</source>
        <translation>它会以明文保存在设置文件中，能读取该文件的人都能看到。</translation>
    </message>
    <message>
        <source>Counts while no voice of the library is chosen.</source>
        <translation>仅在未选择音色库中的音色时有效。</translation>
    </message>
    <message>
        <source>Voice there</source>
        <translation>服务器音色</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>What the server can do</source>
        <translation>服务器的能力</translation>
    </message>
    <message>
        <source>its default</source>
        <translation>默认音色</translation>
    </message>
    <message>
        <source>the open reference clip</source>
        <translation>当前参考片段</translation>
    </message>
    <message>
        <source>clones a recording</source>
        <translation>克隆录音</translation>
    </message>
    <message>
        <source>streams</source>
        <translation>流式</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>speech only</source>
        <translation>仅语音</translation>
    </message>
    <message>
        <source>codes</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Connected: {kind}, {model}. Can: {yes}. Cannot: {no}.</source>
        <translation>已连接：{kind}，{model}。支持：{yes}。不支持：{no}。</translation>
    </message>
    <message>
        <source>Connected: {kind}. Can: {yes}. Cannot: {no}.</source>
        <translation>已连接：{kind}。支持：{yes}。不支持：{no}。</translation>
    </message>
    <message>
        <source>The key travels unencrypted.</source>
        <translation>密钥以未加密方式传输。</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Copy this into a report of a fault. Names of users, machines and folders are taken out. Nothing is sent by itself.</source>
        <translation>请将以下内容粘贴到错误报告中。用户、机器和文件夹的名称已去除。程序不会自行发送任何内容。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
</context>
<context>
    <name>Request</name>
    <message>
        <source>open clip</source>
        <translation>已打开的片段</translation>
    </message>
</context>
<context>
    <name>SaveController</name>
    <message>
        <source>“{wish}” cannot be a file&apos;s name. “{name}” can; save again.</source>
        <translation>“{wish}”不能作文件名，“{name}”可以；请再次保存。</translation>
    </message>
    <message>
        <source>The new clip is being read; try again in a moment.</source>
        <translation>正在读取新片段；请稍后再试。</translation>
    </message>
    <message>
        <source>Wait for the transcription, or stop it.</source>
        <translation>请等待转写完成，或将其停止。</translation>
    </message>
    <message>
        <source>Type what is said in the clip, or have it transcribed: the voice needs the words.</source>
        <translation>请输入片段中所说的内容，或进行转写：制作音色需要文字。</translation>
    </message>
    <message>
        <source>The text is from the clip before. Say whether it fits this one.</source>
        <translation>文字来自上一个片段。请确认是否适用于此片段。</translation>
    </message>
    <message>
        <source>A model turns the clip into a voice. Open one first; the clip stays here.</source>
        <translation>把片段变成音色需要模型。请先打开模型；片段会留在这里。</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>My voice</source>
        <translation>我的音色</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Stopped. The clip is still here; nothing was saved.</source>
        <translation>已停止。片段仍在；没有保存任何内容。</translation>
    </message>
    <message>
        <source>Waiting for the engine…</source>
        <translation>正在等待引擎…</translation>
    </message>
    <message>
        <source>Encoding the clip…</source>
        <translation>正在编码片段…</translation>
    </message>
    <message>
        <source>Decoding the codes…</source>
        <translation>正在解码…</translation>
    </message>
</context>
<context>
    <name>SaveRow</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the voice</source>
        <translation>音色名称</translation>
    </message>
    <message>
        <source>Making the voice</source>
        <translation>正在制作音色</translation>
    </message>
    <message>
        <source>Save voice</source>
        <translation>保存音色</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ScriptController</name>
    <message>
        <source>Open text</source>
        <translation>打开文本</translation>
    </message>
    <message>
        <source>Texts (*.txt);;All files (*)</source>
        <translation>文本 (*.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>{name} does not say how it is coded; it was read as {code}.</source>
        <translation>{name} 未注明编码；已按 {code} 读取。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Save text</source>
        <translation>保存文本</translation>
    </message>
    <message>
        <source>Texts (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>Save elsewhere…</source>
        <translation>保存到别处…</translation>
    </message>
    <message>
        <source>Saved as {name}.</source>
        <translation>已保存为 {name}。</translation>
    </message>
</context>
<context>
    <name>ScriptEditor</name>
    <message>
        <source>Script</source>
        <translation>文稿</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
</context>
<context>
    <name>ScriptPanel</name>
    <message>
        <source>Script</source>
        <translation>文稿</translation>
    </message>
    <message>
        <source>Type or drop the text to be spoken. [ offers tags.</source>
        <translation>输入或拖入要朗读的文本。输入 [ 可选择标签。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>The same seed, text and voice give the same take.</source>
        <translation>相同的种子、文本和音色会得到相同的语音。</translation>
    </message>
    <message>
        <source>Keep this seed</source>
        <translation>固定此种子</translation>
    </message>
    <message>
        <source>Draw a new seed</source>
        <translation>抽取新种子</translation>
    </message>
    <message>
        <source>{count:,} characters</source>
        <translation>{count:,} 字</translation>
    </message>
    <message>
        <source>about {seconds}</source>
        <translation>约 {seconds}</translation>
    </message>
    <message>
        <source>{count} pieces</source>
        <translation>{count} 段</translation>
    </message>
    <message>
        <source>There is no word to speak: the model would make noise.</source>
        <translation>没有可朗读的词：模型只会发出噪声。</translation>
    </message>
    <message>
        <source>A bracket has no partner: {detail}</source>
        <translation>括号不成对：{detail}</translation>
    </message>
    <message>
        <source>No speaker tag: {detail} · write &lt;|speaker:0|&gt;</source>
        <translation>不是说话者标签：{detail} · 请写作 &lt;|speaker:0|&gt;</translation>
    </message>
    <message>
        <source>{detail} means nothing here and is spoken as text.</source>
        <translation>{detail} 在此没有含义，会被当作文字朗读。</translation>
    </message>
    <message>
        <source>Did you mean [{detail}]?</source>
        <translation>您是不是想写 [{detail}]？</translation>
    </message>
    <message>
        <source>Speaker {number} has no voice: the model picks one.</source>
        <translation>说话者 {number} 没有音色：由模型选择。</translation>
    </message>
</context>
<context>
    <name>SegmentsButton</name>
    <message>
        <source>Long text</source>
        <translation>长文本</translation>
    </message>
    <message>
        <source>How a long text is cut and spoken</source>
        <translation>长文本如何切分和朗读</translation>
    </message>
    <message>
        <source>When it is long</source>
        <translation>文本较长时</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>总是</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>One piece after the other, each below 600 frames.</source>
        <translation>逐段朗读，每段少于 600 帧。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Silence between two pieces.</source>
        <translation>两段之间的静音。</translation>
    </message>
    <message>
        <source>Carry the melody on</source>
        <translation>延续语调</translation>
    </message>
    <message>
        <source>The model remembers the piece before; costs time.</source>
        <translation>模型会记住前一段；耗时更多。</translation>
    </message>
</context>
<context>
    <name>ServeController</name>
    <message>
        <source>Speaks for another program now. Stop ends that too.</source>
        <translation>正在为其他程序生成。“停止”也会结束它。</translation>
    </message>
    <message>
        <source>It answers, but there is no model to speak with.</source>
        <translation>服务已开启，但没有可用的模型。</translation>
    </message>
    <message>
        <source>Everyone on the network can use it.</source>
        <translation>网络中的任何人都可以使用。</translation>
    </message>
    <message>
        <source>Open the address in a browser to try it.</source>
        <translation>在浏览器中打开该地址即可试用。</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>{address} was copied.</source>
        <translation>已复制 {address}。</translation>
    </message>
</context>
<context>
    <name>ServeForm</name>
    <message>
        <source>Other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>Serve this engine</source>
        <translation>向外提供引擎</translation>
    </message>
    <message>
        <source>Serve this engine to other programs</source>
        <translation>向其他程序提供此引擎</translation>
    </message>
    <message>
        <source>Other programs speak through HTTP: OpenAI&apos;s /v1/audio/speech and s2.cpp&apos;s /generate. One at a time, and never while this window speaks. It ends with the window.</source>
        <translation>其他程序通过 HTTP 使用：OpenAI 的 /v1/audio/speech 和 s2.cpp 的 /generate。一次一个请求，且本窗口生成时不受理。关闭窗口即停止。</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>The whole network</source>
        <translation>整个网络</translation>
    </message>
    <message>
        <source>On the whole network everyone can use it, without a key.</source>
        <translation>开放到整个网络后，任何人无需密钥即可使用。</translation>
    </message>
    <message>
        <source>Open to</source>
        <translation>开放范围</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Address of the local server</source>
        <translation>本地服务器地址</translation>
    </message>
    <message>
        <source>State of the local server</source>
        <translation>本地服务器状态</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>Receiving: {length}</source>
        <translation>正在接收：{length}</translation>
    </message>
    <message>
        <source>Waiting for the server</source>
        <translation>正在等待服务器</translation>
    </message>
    <message>
        <source>Generating: {frames} frames, {length}</source>
        <translation>正在生成：{frames} 帧，{length}</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>The settings file was damaged. It was kept as {name}; defaults are in use.</source>
        <translation>设置文件已损坏，已另存为 {name}；现使用默认设置。</translation>
    </message>
    <message>
        <source>The settings file is damaged and could not be put aside.</source>
        <translation>设置文件已损坏，且无法另存。</translation>
    </message>
    <message>
        <source>The settings cannot be written to {folder}; changes end with the window.</source>
        <translation>无法将设置写入 {folder}；更改只在本次有效。</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The window speaks it from the next start.</source>
        <translation>下次启动后生效。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Open the last model</source>
        <translation>打开上次的模型</translation>
    </message>
    <message>
        <source>Otherwise the demo voice, where it is there, or none.</source>
        <translation>否则打开演示语音（若有），或不打开。</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>{name} (not there)</source>
        <translation>{name}（不存在）</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Remembered even while it is unplugged.</source>
        <translation>即使已拔出也会记住。</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> 毫秒</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Start buffer</source>
        <translation>起播缓冲</translation>
    </message>
    <message>
        <source>Sound at hand before playing starts; automatic follows the speed.</source>
        <translation>开始播放前积累的声音；自动时随速度调整。</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Longest recording</source>
        <translation>最长录音</translation>
    </message>
    <message>
        <source>A recording ends by itself after that; 5 to 30 s clone best.</source>
        <translation>录制到此时长会自动结束；5 到 30 秒克隆效果最好。</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Voices</source>
        <translation>音色</translation>
    </message>
    <message>
        <source>Used from the next start.</source>
        <translation>下次启动后使用。</translation>
    </message>
    <message>
        <source>none chosen</source>
        <translation>未选择</translation>
    </message>
    <message>
        <source>Transcription model</source>
        <translation>转写模型</translation>
    </message>
    <message>
        <source>Transcription</source>
        <translation>转写</translation>
    </message>
    <message>
        <source>Folder of a faster-whisper model, for writing down recordings.</source>
        <translation>faster-whisper 模型的文件夹，用于把录音转成文字。</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Kept takes</source>
        <translation>保留的语音</translation>
    </message>
    <message>
        <source>When they need more room, the oldest without a star go.</source>
        <translation>空间不足时，先删除最旧的未加星语音。</translation>
    </message>
</context>
<context>
    <name>SharedEngine</name>
    <message>
        <source>Speaking for another program</source>
        <translation>正在为其他程序生成</translation>
    </message>
</context>
<context>
    <name>SpeakerRow</name>
    <message>
        <source>Speaker {number}</source>
        <translation>说话者 {number}</translation>
    </message>
    <message>
        <source>Voice of speaker {number}</source>
        <translation>说话者 {number} 的音色</translation>
    </message>
    <message>
        <source>{name} (missing)</source>
        <translation>{name}（缺失）</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Real-time factor</source>
        <translation>实时系数</translation>
    </message>
    <message>
        <source>Time to make a second of sound; below 1 is faster than real time.</source>
        <translation>生成一秒声音所需的时间；低于 1 即快于实时。</translation>
    </message>
    <message>
        <source>First sound</source>
        <translation>首音</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>缓冲</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>What the program holds; the model&apos;s file is mapped.</source>
        <translation>程序占用的内存；模型文件以映射方式使用。</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>断音</translation>
    </message>
    <message>
        <source>How often the sound ran dry in this take.</source>
        <translation>这条语音播放时断音的次数。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>StatusPresenter</name>
    <message>
        <source>no model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>{device} ready</source>
        <translation>{device} 就绪</translation>
    </message>
    <message>
        <source>{device} busy</source>
        <translation>{device} 忙碌</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>loading failed</source>
        <translation>加载失败</translation>
    </message>
    <message>
        <source>Ready. Ctrl+Enter makes a take.</source>
        <translation>就绪。按 Ctrl+Enter 生成语音。</translation>
    </message>
    <message>
        <source>Failed. {length} were kept.</source>
        <translation>失败。已保留 {length}。</translation>
    </message>
    <message>
        <source>Failed.</source>
        <translation>失败。</translation>
    </message>
    <message>
        <source>Stopped. {length} were kept.</source>
        <translation>已停止。已保留 {length}。</translation>
    </message>
    <message>
        <source>Cut at the frame limit: {length}.</source>
        <translation>在帧数上限处截断：{length}。</translation>
    </message>
    <message>
        <source>The take was cut at {frames} frames; the text may go on.</source>
        <translation>语音在 {frames} 帧处截断；文本可能还没念完。</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Done: {length} of sound in {elapsed}.</source>
        <translation>完成：{length} 声音，用时 {elapsed}。</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Lowest while playing: {seconds:.2f} s</source>
        <translation>播放期间最低：{seconds:.2f} 秒</translation>
    </message>
    <message>
        <source>windowed streaming</source>
        <translation>窗口流式</translation>
    </message>
    <message>
        <source>made by {host}, no codes</source>
        <translation>由 {host} 生成，无编码</translation>
    </message>
    <message>
        <source>no seed</source>
        <translation>无种子</translation>
    </message>
    <message>
        <source>cut at the limit</source>
        <translation>在上限处截断</translation>
    </message>
    <message>
        <source>Go to the script</source>
        <translation>转到文稿</translation>
    </message>
    <message>
        <source>Open the voices folder</source>
        <translation>打开音色文件夹</translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation>种子 {seed}</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>first sound {time}</source>
        <translation>首音 {time}</translation>
    </message>
    <message>
        <source>real-time factor {factor}</source>
        <translation>实时系数 {factor}</translation>
    </message>
    <message>
        <source>The model was not opened.</source>
        <translation>模型未打开。</translation>
    </message>
</context>
<context>
    <name>TagPalette</name>
    <message>
        <source>How strongly a tag works depends on the model and its quantisation.</source>
        <translation>标签的效果强弱取决于模型及其量化。</translation>
    </message>
    <message>
        <source>Insert the tag {name}</source>
        <translation>插入标签 {name}</translation>
    </message>
    <message>
        <source>more ▾</source>
        <translation>更多 ▾</translation>
    </message>
    <message>
        <source>All tags</source>
        <translation>所有标签</translation>
    </message>
    <message>
        <source>Pace</source>
        <translation>节奏</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>发声</translation>
    </message>
    <message>
        <source>Mood</source>
        <translation>情绪</translation>
    </message>
    <message>
        <source>Sounds</source>
        <translation>音效</translation>
    </message>
    <message>
        <source>Speaker</source>
        <translation>说话者</translation>
    </message>
    <message>
        <source>Speaker {number}</source>
        <translation>说话者 {number}</translation>
    </message>
</context>
<context>
    <name>TakeListModel</name>
    <message>
        <source>Star</source>
        <translation>星标</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>音色</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>starred</source>
        <translation>已加星</translation>
    </message>
    <message>
        <source>not starred</source>
        <translation>未加星</translation>
    </message>
    <message>
        <source>[cut at limit] {text}</source>
        <translation>[在上限处截断] {text}</translation>
    </message>
    <message>
        <source>Starred takes are never removed to make room.</source>
        <translation>加星的语音不会因腾出空间而被移除。</translation>
    </message>
</context>
<context>
    <name>TakePanel</name>
    <message>
        <source>Take</source>
        <translation>语音</translation>
    </message>
    <message>
        <source>The sound appears here while it is made</source>
        <translation>生成的声音会显示在这里</translation>
    </message>
    <message>
        <source>Codes of each frame</source>
        <translation>每一帧的编码</translation>
    </message>
    <message>
        <source>Place in the take</source>
        <translation>语音中的位置</translation>
    </message>
    <message>
        <source>growing</source>
        <translation>增长中</translation>
    </message>
</context>
<context>
    <name>TakesController</name>
    <message>
        <source>Text, seed and settings are as they were.</source>
        <translation>文本、种子和设置已恢复原样。</translation>
    </message>
    <message>
        <source>The voice {name} is not in the library.</source>
        <translation>音色“{name}”不在音色库中。</translation>
    </message>
    <message>
        <source>The take was deleted.</source>
        <translation>语音已删除。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Megabytes for kept takes. The oldest without a star go first.</source>
        <translation>保留语音的空间（MB）。先删除最旧的未加星语音。</translation>
    </message>
    <message>
        <source>Room for takes</source>
        <translation>语音占用空间</translation>
    </message>
    <message>
        <source>Open a model, or wait until the engine is free.</source>
        <translation>请打开模型，或等待引擎空闲。</translation>
    </message>
    <message>
        <source>The voice {name} is not the one of this take any more.</source>
        <translation>音色“{name}”已不再是这条语音所用的音色。</translation>
    </message>
    <message>
        <source>{count} kept takes are damaged and not listed.</source>
        <translation>有 {count} 条保留的语音已损坏，未列出。</translation>
    </message>
    <message>
        <source>Piece {number} was spoken again with seed {seed}.</source>
        <translation>第 {number} 段已用种子 {seed} 重新朗读。</translation>
    </message>
    <message>
        <source>{count} old takes without a star made room for this one.</source>
        <translation>为腾出空间，已移除 {count} 条未加星的旧语音。</translation>
    </message>
    <message>
        <source>Kept takes fill their {room}. The next take removes the oldest without a star: {text}</source>
        <translation>保留的语音已占满 {room}。下一条语音将移除最旧的未加星语音：{text}</translation>
    </message>
    <message>
        <source>More room…</source>
        <translation>增加空间…</translation>
    </message>
</context>
<context>
    <name>TakesFeature</name>
    <message>
        <source>Speak piece {number} again: {text}…</source>
        <translation>重新朗读第 {number} 段：{text}…</translation>
    </message>
</context>
<context>
    <name>TakesPanel</name>
    <message>
        <source>Takes</source>
        <translation>语音</translation>
    </message>
    <message>
        <source>Takes · {count}</source>
        <translation>语音 · {count}</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
</context>
<context>
    <name>TranscriptBox</name>
    <message>
        <source>What is said in the clip</source>
        <translation>片段中说的内容</translation>
    </message>
    <message>
        <source>Type every word that is said in the clip</source>
        <translation>请输入片段中说的每一个字</translation>
    </message>
    <message>
        <source>Said in the clip</source>
        <translation>片段内容</translation>
    </message>
    <message>
        <source>Language and model of transcribing</source>
        <translation>转写的语言和模型</translation>
    </message>
    <message>
        <source>From the clip before.</source>
        <translation>来自上一个片段。</translation>
    </message>
    <message>
        <source>It fits</source>
        <translation>适用</translation>
    </message>
    <message>
        <source>The same words are said in this clip</source>
        <translation>此片段中说的是相同的内容</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Language of the clip</source>
        <translation>片段的语言</translation>
    </message>
    <message>
        <source>Detect</source>
        <translation>自动检测</translation>
    </message>
    <message>
        <source>Folder of the transcription model…</source>
        <translation>转写模型的文件夹…</translation>
    </message>
    <message>
        <source>Transcribe</source>
        <translation>转写</translation>
    </message>
    <message>
        <source>Stop transcribing</source>
        <translation>停止转写</translation>
    </message>
    <message>
        <source>Transcribe the clip</source>
        <translation>转写片段</translation>
    </message>
</context>
<context>
    <name>TranscriptController</name>
    <message>
        <source>Folder of the transcription model</source>
        <translation>转写模型的文件夹</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Choose the folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>The command was copied.</source>
        <translation>命令已复制。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop · {0} %</source>
        <translation>停止 · {0} %</translation>
    </message>
    <message>
        <source>Compare the text with the clip: each word counts.</source>
        <translation>请将文字与片段核对：每个词都很重要。</translation>
    </message>
</context>
<context>
    <name>TransportBar</name>
    <message>
        <source>Play from the start</source>
        <translation>从头播放</translation>
    </message>
    <message>
        <source>Stop playing</source>
        <translation>停止播放</translation>
    </message>
    <message>
        <source>Loop the selection</source>
        <translation>循环播放所选部分</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>音量</translation>
    </message>
    <message>
        <source>Sound output</source>
        <translation>声音输出</translation>
    </message>
    <message>
        <source>Look for sound devices again</source>
        <translation>重新查找声音设备</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>No sound output</source>
        <translation>没有声音输出</translation>
    </message>
</context>
<context>
    <name>TransportController</name>
    <message>
        <source>Sound is playing. The list is read again when it has ended.</source>
        <translation>正在播放声音。播放结束后会重新读取列表。</translation>
    </message>
    <message>
        <source>Take</source>
        <translation>语音</translation>
    </message>
    <message>
        <source>Take {number}</source>
        <translation>语音 {number}</translation>
    </message>
    <message>
        <source>Take of {time}</source>
        <translation>{time} 的语音</translation>
    </message>
    <message>
        <source>buffering</source>
        <translation>缓冲中</translation>
    </message>
    <message>
        <source>starts in {seconds} s</source>
        <translation>{seconds} 秒后开始</translation>
    </message>
</context>
<context>
    <name>VoiceDelegate</name>
    <message>
        <source>New name of the voice</source>
        <translation>音色的新名称</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>other model</source>
        <translation>其他模型</translation>
    </message>
    <message>
        <source>decoding…</source>
        <translation>解码中…</translation>
    </message>
</context>
<context>
    <name>VoiceDetails</name>
    <message>
        <source>{length}, {frames} frames of {books} codes</source>
        <translation>{length}，{frames} 帧，每帧 {books} 个编码</translation>
    </message>
    <message>
        <source>Who allowed this voice to be cloned, and when</source>
        <translation>谁在何时允许克隆此音色</translation>
    </message>
    <message>
        <source>Text of the clip</source>
        <translation>片段文字</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Consent</source>
        <translation>授权</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>SHA-256 of the clip</source>
        <translation>片段的 SHA-256</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Not said</source>
        <translation>未注明</translation>
    </message>
</context>
<context>
    <name>VoiceListModel</name>
    <message>
        <source>No voice</source>
        <translation>无音色</translation>
    </message>
    <message>
        <source>The model picks one for each take</source>
        <translation>每次由模型选择</translation>
    </message>
</context>
<context>
    <name>VoicesController</name>
    <message>
        <source>A model makes the voice heard. Open one first.</source>
        <translation>试听音色需要模型。请先打开模型。</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>rename {name}</source>
        <translation>重命名 {name}</translation>
    </message>
    <message>
        <source>{old} is called {new} now.</source>
        <translation>“{old}”现已改名为“{new}”。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>copy {name}</source>
        <translation>复制 {name}</translation>
    </message>
    <message>
        <source>Voice {name} was added.</source>
        <translation>已添加音色“{name}”。</translation>
    </message>
    <message>
        <source>Voice {name} is in your library and chosen.</source>
        <translation>音色“{name}”已加入音色库并选中。</translation>
    </message>
    <message>
        <source>Hear it</source>
        <translation>试听</translation>
    </message>
    <message>
        <source>Voices (*.s2voice);;All files (*)</source>
        <translation>音色 (*.s2voice);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import voice</source>
        <translation>导入音色</translation>
    </message>
    <message>
        <source>Export voice</source>
        <translation>导出音色</translation>
    </message>
    <message>
        <source>Voices (*.s2voice)</source>
        <translation>音色 (*.s2voice)</translation>
    </message>
    <message>
        <source>Saved as {name}.</source>
        <translation>已保存为 {name}。</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>delete {name}</source>
        <translation>删除 {name}</translation>
    </message>
    <message>
        <source>{name} is in the trash.</source>
        <translation>{name} 已移到回收站。</translation>
    </message>
</context>
<context>
    <name>VoicesPanel</name>
    <message>
        <source>Voices</source>
        <translation>音色</translation>
    </message>
    <message>
        <source>Search voices</source>
        <translation>搜索音色</translation>
    </message>
    <message>
        <source>No voices yet. Make one below, or drop a .s2voice file here.</source>
        <translation>还没有音色。请在下方制作，或把 .s2voice 文件拖到这里。</translation>
    </message>
    <message>
        <source>Order of the voices</source>
        <translation>音色排序</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>Longest first</source>
        <translation>最长优先</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新优先</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>More for this voice</source>
        <translation>此音色的更多操作</translation>
    </message>
    <message>
        <source>Hear what the model hears</source>
        <translation>试听模型听到的声音</translation>
    </message>
    <message>
        <source>Details and notes…</source>
        <translation>详细信息和备注…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Del</translation>
    </message>
</context>
<context>
    <name>Waveform</name>
    <message>
        <source>Waveform</source>
        <translation>波形</translation>
    </message>
    <message>
        <source>Click or use the arrow keys to move in the take, with Shift to select. Plus and minus zoom, 0 shows everything, L loops the selection.</source>
        <translation>点击或用方向键在语音中移动，按住 Shift 进行选择。加号和减号缩放，0 显示全部，L 循环所选部分。</translation>
    </message>
    <message>
        <source>{seconds:.2f} s</source>
        <translation>{seconds:.2f} 秒</translation>
    </message>
</context>
<context>
    <name>WelcomeCard</name>
    <message>
        <source>Three steps to your first take</source>
        <translation>三步完成第一条语音</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Get S2 Pro…</source>
        <translation>获取 S2 Pro…</translation>
    </message>
    <message>
        <source>Pick or make a voice</source>
        <translation>选择或制作音色</translation>
    </message>
    <message>
        <source>Without one the model picks a voice.</source>
        <translation>不选时由模型自行决定音色。</translation>
    </message>
    <message>
        <source>To clone a voice, record 5 to 30 s of it, or drop a clip on the window.</source>
        <translation>要克隆音色，请录制 5 到 30 秒，或把片段拖到窗口中。</translation>
    </message>
    <message>
        <source>Ready: click Generate</source>
        <translation>准备就绪：点击“生成”</translation>
    </message>
    <message>
        <source>The small demo voice speaks the text above, or your own.</source>
        <translation>小型演示语音会朗读上方的文本，也可以换成您自己的文本。</translation>
    </message>
    <message>
        <source>An S2 Pro file in GGUF format, tokenizer.json beside it.</source>
        <translation>GGUF 格式的 S2 Pro 文件，旁边放有 tokenizer.json。</translation>
    </message>
    <message>
        <source>The demo voice that comes with the studio.</source>
        <translation>工作室自带的演示语音。</translation>
    </message>
    <message>
        <source>The demo voice is open. Your own model takes its place.</source>
        <translation>已打开演示语音。打开您自己的模型后将取而代之。</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Choose device</source>
        <translation>选择设备</translation>
    </message>
    <message>
        <source>Record a clip</source>
        <translation>录制片段</translation>
    </message>
    <message>
        <source>Open a clip…</source>
        <translation>打开片段…</translation>
    </message>
    <message>
        <source>Pick a device</source>
        <translation>选择设备</translation>
    </message>
    <message>
        <source>{device} is chosen; the list is on the right.</source>
        <translation>已选择 {device}；列表在右侧。</translation>
    </message>
    <message>
        <source>{voice} is chosen.</source>
        <translation>已选择 {voice}。</translation>
    </message>
    <message>
        <source>Choose one on the left, or go without.</source>
        <translation>在左侧选择一个，也可以不选。</translation>
    </message>
</context>
<context>
    <name>WelcomeController</name>
    <message>
        <source>{name} speaks only with the demo model. No voice is chosen now.</source>
        <translation>{name} 只能配合演示模型使用。现在未选择音色。</translation>
    </message>
</context>
<context>
    <name>_Sheet</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
</TS>
