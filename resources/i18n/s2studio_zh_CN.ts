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
        <source>Pronunciations…</source>
        <translation>发音…</translation>
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
        <source>Light what is spoken</source>
        <translation>高亮正在朗读的句子</translation>
    </message>
    <message>
        <source>Go on from where it stopped</source>
        <translation>从停下的地方继续</translation>
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
        <source>Draw quiet takes higher</source>
        <translation>放大显示轻声的语音</translation>
    </message>
    <message>
        <source>Show the spectrogram</source>
        <translation>显示频谱图</translation>
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
        <source>No sound for {seconds} s.</source>
        <translation>已有 {seconds} 秒没有声音。</translation>
    </message>
    <message>
        <source>No access: the microphone gives only zeros. It is muted, or the system does not let this program use it.</source>
        <translation>无法访问：麦克风只给出零值。它被静音，或系统不允许本程序使用。</translation>
    </message>
</context>
<context>
    <name>ClipDialog</name>
    <message>
        <source>Clip</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Drag the ends to trim. The wheel zooms at the mouse, Shift and the wheel move, Space plays, Ctrl+Z takes back.</source>
        <translation>拖动两端进行剪裁。滚轮在鼠标处缩放，Shift 加滚轮平移，空格播放，Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
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
    <name>ClipsList</name>
    <message>
        <source>Clips of the voice</source>
        <translation>此音色的片段</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>CodebookView</name>
    <message>
        <source>Columns are frames of sound, rows are codebooks: S says what is spoken, 1 to 9 how it sounds. Colours are codes; a stretch of one colour is a pause or a repeat.</source>
        <translation>每列是一帧声音，每行是一个码本：S 表示说什么，1 到 9 表示听起来怎样。颜色是编码；一段同色是停顿或重复。</translation>
    </message>
    <message>
        <source>What is this?</source>
        <translation>这是什么？</translation>
    </message>
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
    <name>ConsentDialog</name>
    <message>
        <source>Whose voice is it?</source>
        <translation>这是谁的声音？</translation>
    </message>
    <message>
        <source>Clone only voices whose owner allows it. A line about that is kept with “{name}” and handed on with it; it can be changed in its details. You are asked once.</source>
        <translation>只克隆经本人同意的声音。相关说明会与“{name}”一起保存并随之转交；可在其详细信息中修改。只询问一次。</translation>
    </message>
    <message>
        <source>Save with this line</source>
        <translation>连同此说明保存</translation>
    </message>
    <message>
        <source>Save without</source>
        <translation>不带说明保存</translation>
    </message>
    <message>
        <source>Such as: my own voice; or who allowed it, and when</source>
        <translation>例如：我自己的声音；或由谁、何时同意</translation>
    </message>
    <message>
        <source>Consent</source>
        <translation>授权</translation>
    </message>
</context>
<context>
    <name>CountButton</name>
    <message>
        <source>1 take</source>
        <translation>1 条语音</translation>
    </message>
    <message>
        <source>Each a little livelier than the one before</source>
        <translation>逐条更活泼一些</translation>
    </message>
    <message>
        <source>Temperatures around the one that is set</source>
        <translation>温度分布在所设数值的两侧</translation>
    </message>
    <message>
        <source>{count} takes together</source>
        <translation>同时生成 {count} 条语音</translation>
    </message>
    <message>
        <source>Takes of one press: {count}</source>
        <translation>一次生成的语音数：{count}</translation>
    </message>
</context>
<context>
    <name>DetailsController</name>
    <message>
        <source>Pictures (*.png *.jpg *.jpeg *.webp)</source>
        <translation>图片 (*.png *.jpg *.jpeg *.webp)</translation>
    </message>
    <message>
        <source>Picture of the voice</source>
        <translation>音色的图片</translation>
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
        <translation>引擎出错</translation>
    </message>
    <message>
        <source>The model cannot be opened</source>
        <translation>无法打开模型</translation>
    </message>
    <message>
        <source>The tokenizer cannot be used</source>
        <translation>无法使用分词器</translation>
    </message>
    <message>
        <source>The voice cannot be used</source>
        <translation>无法使用该音色</translation>
    </message>
    <message>
        <source>The request cannot be spoken</source>
        <translation>无法朗读该请求</translation>
    </message>
    <message>
        <source>The text is too long</source>
        <translation>文本过长</translation>
    </message>
    <message>
        <source>Generation failed</source>
        <translation>生成失败</translation>
    </message>
    <message>
        <source>The device cannot be used</source>
        <translation>无法使用该设备</translation>
    </message>
    <message>
        <source>The file cannot be written</source>
        <translation>无法写入文件</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>The engine is busy</source>
        <translation>引擎正忙</translation>
    </message>
    <message>
        <source>The server cannot be used</source>
        <translation>无法使用服务器</translation>
    </message>
    <message>
        <source>The address cannot be used</source>
        <translation>无法使用该地址</translation>
    </message>
    <message>
        <source>The server does not answer</source>
        <translation>服务器没有响应</translation>
    </message>
    <message>
        <source>The server refuses access</source>
        <translation>服务器拒绝访问</translation>
    </message>
    <message>
        <source>The server cannot do this</source>
        <translation>服务器不支持此操作</translation>
    </message>
    <message>
        <source>The server rejects the request</source>
        <translation>服务器拒绝了请求</translation>
    </message>
    <message>
        <source>The server is busy</source>
        <translation>服务器正忙</translation>
    </message>
    <message>
        <source>The server failed</source>
        <translation>服务器出错</translation>
    </message>
    <message>
        <source>The answer makes no sense</source>
        <translation>无法理解服务器的应答</translation>
    </message>
    <message>
        <source>The sound was cut off</source>
        <translation>声音被中断</translation>
    </message>
    <message>
        <source>The download failed</source>
        <translation>下载失败</translation>
    </message>
    <message>
        <source>Offline mode is on</source>
        <translation>离线模式已开启</translation>
    </message>
    <message>
        <source>The license was not accepted</source>
        <translation>尚未接受许可证</translation>
    </message>
    <message>
        <source>The hub asks who you are</source>
        <translation>下载站需要确认您的身份</translation>
    </message>
    <message>
        <source>The file is not there</source>
        <translation>文件不存在</translation>
    </message>
    <message>
        <source>The file is damaged</source>
        <translation>文件已损坏</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>Already being downloaded</source>
        <translation>正在下载中</translation>
    </message>
    <message>
        <source>The take cannot be used</source>
        <translation>无法使用该语音</translation>
    </message>
    <message>
        <source>The take cannot be brought back</source>
        <translation>无法还原该语音</translation>
    </message>
    <message>
        <source>The client is too slow</source>
        <translation>客户端太慢</translation>
    </message>
    <message>
        <source>The server cannot start</source>
        <translation>服务器无法启动</translation>
    </message>
    <message>
        <source>Wrong arguments</source>
        <translation>参数错误</translation>
    </message>
    <message>
        <source>The clip cannot be transcribed</source>
        <translation>无法转写该片段</translation>
    </message>
    <message>
        <source>its channels differ, so the mix of them is {loss:.0f} dB weaker than the loudest; record one channel</source>
        <translation>各声道不同，混合后比最响的声道弱 {loss:.0f} dB；请录制单声道</translation>
    </message>
    <message>
        <source>{name} holds values that are not numbers, the first at {at:.2f} s</source>
        <translation>{name} 含有不是数字的值，第一个在 {at:.2f} 秒处</translation>
    </message>
    <message>
        <source>Export the clip again, for example as 16-bit WAV.</source>
        <translation>请重新导出片段，例如导出为 16 位 WAV。</translation>
    </message>
    <message>
        <source>{name} has the shape {shape} at {rate} Hz, which is no audio</source>
        <translation>{name} 的形状为 {shape}，采样率 {rate} Hz，不是音频</translation>
    </message>
    <message>
        <source>{label} cannot be read as audio: it is {what}</source>
        <translation>{label} 无法作为音频读取：它是 {what}</translation>
    </message>
    <message>
        <source>the audio file {path} does not exist</source>
        <translation>音频文件 {path} 不存在</translation>
    </message>
    <message>
        <source>Check the name and the folder.</source>
        <translation>请检查名称和文件夹。</translation>
    </message>
    <message>
        <source>{label} is a folder, not an audio file</source>
        <translation>{label} 是文件夹，不是音频文件</translation>
    </message>
    <message>
        <source>Accepted kinds: WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF.</source>
        <translation>支持的格式：WAV、FLAC、Ogg Vorbis、Opus、MP3 和 AIFF。</translation>
    </message>
    <message>
        <source>{label} is not a file</source>
        <translation>{label} 不是文件</translation>
    </message>
    <message>
        <source>{label} could not be read: {reason}</source>
        <translation>无法读取 {label}：{reason}</translation>
    </message>
    <message>
        <source>{label} is empty, it has no bytes</source>
        <translation>{label} 是空的，没有任何字节</translation>
    </message>
    <message>
        <source>{label} is a damaged WAV: its header says {what}</source>
        <translation>{label} 是损坏的 WAV：文件头写的是 {what}</translation>
    </message>
    <message>
        <source>Export the clip again. Accepted kinds: WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF.</source>
        <translation>请重新导出该片段。支持的格式：WAV、FLAC、Ogg Vorbis、Opus、MP3 和 AIFF。</translation>
    </message>
    <message>
        <source>{label} holds no samples{damaged}</source>
        <translation>{label} 没有采样{damaged}</translation>
    </message>
    <message>
        <source>Choose another clip. Accepted kinds: WAV, FLAC, Ogg Vorbis, Opus, MP3 and AIFF.</source>
        <translation>请选择其他片段。支持的格式：WAV、FLAC、Ogg Vorbis、Opus、MP3 和 AIFF。</translation>
    </message>
    <message>
        <source>{label} claims {rate} samples a second, which is outside {lowest} to {highest} Hz</source>
        <translation>{label} 声称每秒 {rate} 个采样，超出 {lowest} 到 {highest} Hz 的范围</translation>
    </message>
    <message>
        <source>Its header is probably damaged; export the clip again.</source>
        <translation>文件头可能已损坏；请重新导出该片段。</translation>
    </message>
    <message>
        <source>{label} has {channels} channels; at most {limit} can be used</source>
        <translation>{label} 有 {channels} 个声道；最多可用 {limit} 个</translation>
    </message>
    <message>
        <source>Export it as mono or stereo.</source>
        <translation>请导出为单声道或立体声。</translation>
    </message>
    <message>
        <source>{label} has a damaged header, which was mended</source>
        <translation>{label} 的文件头已损坏，已修复</translation>
    </message>
    <message>
        <source>{label} is damaged or was cut: {promised:.2f} s were promised, {there:.2f} s are there</source>
        <translation>{label} 已损坏或被截断：应有 {promised:.2f} 秒，实有 {there:.2f} 秒</translation>
    </message>
    <message>
        <source>{label} is damaged or was cut: its end is missing</source>
        <translation>{label} 已损坏或被截断：缺少结尾</translation>
    </message>
    <message>
        <source>{label} is damaged: {bytes} bytes inside it are no sound</source>
        <translation>{label} 已损坏：其中 {bytes} 字节不是声音</translation>
    </message>
    <message>
        <source>{label} is {seconds:.1f} s long; only the first {limit:.1f} s were read</source>
        <translation>{label} 时长 {seconds:.1f} 秒；只读取了前 {limit:.1f} 秒</translation>
    </message>
    <message>
        <source>{label} is {seconds:.1f} s long; only the first {limit:.1f} s were read to spare memory</source>
        <translation>{label} 时长 {seconds:.1f} 秒；为节省内存只读取了前 {limit:.1f} 秒</translation>
    </message>
    <message>
        <source>{label} is damaged: it could be decoded only up to {seconds:.2f} s</source>
        <translation>{label} 已损坏：只能解码到 {seconds:.2f} 秒</translation>
    </message>
    <message>
        <source>the channels are in opposite phase; one was turned over so that they do not cancel</source>
        <translation>声道相位相反；已将其中一个反相，以免相互抵消</translation>
    </message>
    <message>
        <source>there is no sound to save yet</source>
        <translation>还没有可保存的声音</translation>
    </message>
    <message>
        <source>Generate a take first.</source>
        <translation>请先生成一条语音。</translation>
    </message>
    <message>
        <source>nothing was written: {bad} of the samples are not numbers</source>
        <translation>未写入任何内容：有 {bad} 个采样不是数字</translation>
    </message>
    <message>
        <source>the sound is larger than the 4 GiB that a WAV file can hold</source>
        <translation>声音超过了 WAV 文件的 4 GiB 上限</translation>
    </message>
    <message>
        <source>Save it as FLAC.</source>
        <translation>请保存为 FLAC。</translation>
    </message>
    <message>
        <source>the installed sound library cannot write {format}</source>
        <translation>已安装的声音库无法写入 {format}</translation>
    </message>
    <message>
        <source>Choose another kind, or install soundfile 0.13 or newer.</source>
        <translation>请选择其他格式，或安装 soundfile 0.13 或更新版本。</translation>
    </message>
    <message>
        <source>{format} could not be made at {rate} Hz: {reason}</source>
        <translation>无法以 {rate} Hz 生成 {format}：{reason}</translation>
    </message>
    <message>
        <source>Choose WAV instead.</source>
        <translation>请改选 WAV。</translation>
    </message>
    <message>
        <source>{target} would be larger than the 4 GiB that a WAV file can hold</source>
        <translation>{target} 会超过 WAV 文件的 4 GiB 上限</translation>
    </message>
    <message>
        <source>Save it in parts or as FLAC.</source>
        <translation>请分段保存，或保存为 FLAC。</translation>
    </message>
    <message>
        <source>{target} was not written: {bad} of its samples are not numbers</source>
        <translation>未写入 {target}：有 {bad} 个采样不是数字</translation>
    </message>
    <message>
        <source>{name} holds no samples</source>
        <translation>{name} 没有采样</translation>
    </message>
    <message>
        <source>Record 5 to 30 s of one speaker in a quiet room.</source>
        <translation>请在安静的房间录制一位说话人 5 到 30 秒。</translation>
    </message>
    <message>
        <source>{name} is {seconds:.2f} s long, too short to clone a voice from</source>
        <translation>{name} 时长 {seconds:.2f} 秒，太短，无法克隆音色</translation>
    </message>
    <message>
        <source>{name} is silent: all its samples are zero</source>
        <translation>{name} 无声：所有采样都是零</translation>
    </message>
    <message>
        <source>The microphone was muted, or this program may not use it. Check and record again.</source>
        <translation>麦克风被静音，或本程序无权使用它。请检查后重新录制。</translation>
    </message>
    <message>
        <source>{name} holds a constant offset and no sound: it moves by no more than {decibel:.0f} dBFS</source>
        <translation>{name} 只有恒定偏移而没有声音：变化不超过 {decibel:.0f} dBFS</translation>
    </message>
    <message>
        <source>The line was muted. Check the input device and record again.</source>
        <translation>线路被静音。请检查输入设备后重新录制。</translation>
    </message>
    <message>
        <source>{name} is as good as silent: its peak is {decibel:.0f} dBFS</source>
        <translation>{name} 几乎无声：峰值为 {decibel:.0f} dBFS</translation>
    </message>
    <message>
        <source>Check the input device and its gain. Record 5 to 30 s of one speaker in a quiet room.</source>
        <translation>请检查输入设备及其增益。请在安静的房间录制一位说话人 5 到 30 秒。</translation>
    </message>
    <message>
        <source>Choose another recording.</source>
        <translation>请选择其他录音。</translation>
    </message>
    <message>
        <source>Export the recording again as 16-bit WAV.</source>
        <translation>请将录音重新导出为 16 位 WAV。</translation>
    </message>
    <message>
        <source>reference audio requires its transcript</source>
        <translation>参考录音需要对应的文字稿</translation>
    </message>
    <message>
        <source>Type what is said in the recording.</source>
        <translation>请输入录音中所说的内容。</translation>
    </message>
    <message>
        <source>reference codes must have two axes, codebooks and frames, not {axes}</source>
        <translation>参考编码必须有码本和帧两个维度，而不是 {axes} 个</translation>
    </message>
    <message>
        <source>expected {num_codebooks} codebooks, got {found}</source>
        <translation>应有 {num_codebooks} 个码本，实有 {found} 个</translation>
    </message>
    <message>
        <source>The codes were made by another model.</source>
        <translation>这些编码由其他模型生成。</translation>
    </message>
    <message>
        <source>reference codes must be whole numbers, not {dtype}</source>
        <translation>参考编码必须是整数，而不是 {dtype}</translation>
    </message>
    <message>
        <source>reference code out of range: {code} in codebook {row}, frame {frame}; the limit is {last}</source>
        <translation>参考编码超出范围：码本 {row} 第 {frame} 帧为 {code}；上限是 {last}</translation>
    </message>
    <message>
        <source>reference audio requires its transcript{which}</source>
        <translation>参考音频需要其文字稿{which}</translation>
    </message>
    <message>
        <source>the reference transcript requires its audio{which}</source>
        <translation>参考文字稿需要其音频{which}</translation>
    </message>
    <message>
        <source>Choose the recording that belongs to it.</source>
        <translation>请选择与之对应的录音。</translation>
    </message>
    <message>
        <source>{name} is clipped: {part:.1%} of it sits at full scale</source>
        <translation>{name} 有削波：{part:.1%} 处于满刻度</translation>
    </message>
    <message>
        <source>{name} is very quiet ({decibel:.0f} dBFS); the voice may come out weak</source>
        <translation>{name} 声音很小（{decibel:.0f} dBFS）；音色可能偏弱</translation>
    </message>
    <message>
        <source>{name} is {seconds:.1f} s long; only the first {limit:g} s are used</source>
        <translation>{name} 时长 {seconds:.1f} 秒；只使用前 {limit:g} 秒</translation>
    </message>
    <message>
        <source>{name} is only {seconds:.2f} s long; 5 to 30 s clone best</source>
        <translation>{name} 只有 {seconds:.2f} 秒；5 到 30 秒克隆效果最好</translation>
    </message>
    <message>
        <source>{name} goes {decibel:.0f} dB above full scale and was scaled down</source>
        <translation>{name} 超出满刻度 {decibel:.0f} dB，已按比例降低</translation>
    </message>
    <message>
        <source>{name}: {warning}</source>
        <translation>{name}：{warning}</translation>
    </message>
    <message>
        <source>codec produced non-finite samples</source>
        <translation>编解码器产生了非有限的采样</translation>
    </message>
    <message>
        <source>Try another seed or the CPU as backend.</source>
        <translation>请尝试其他种子，或将后端改为 CPU。</translation>
    </message>
    <message>
        <source>the model produced non-finite logits</source>
        <translation>模型产生了非有限的 logits</translation>
    </message>
    <message>
        <source>The file may be damaged; compare its checksum with the publisher&apos;s.</source>
        <translation>文件可能已损坏；请与发布者提供的校验和比对。</translation>
    </message>
    <message>
        <source>generation produced no frames</source>
        <translation>生成结果没有任何帧</translation>
    </message>
    <message>
        <source>Try another seed, another text, or a higher minimum of frames.</source>
        <translation>请尝试其他种子、其他文本，或提高最少帧数。</translation>
    </message>
    <message>
        <source>the stride must be at least 1, not {stride}</source>
        <translation>步长至少为 1，而不是 {stride}</translation>
    </message>
    <message>
        <source>the context must be 0 or more, not {context}</source>
        <translation>上下文必须为 0 或更大，而不是 {context}</translation>
    </message>
    <message>
        <source>the holdback must be 0 or more, not {holdback}</source>
        <translation>保留帧数必须为 0 或更大，而不是 {holdback}</translation>
    </message>
    <message>
        <source>decode mode must be exact or windowed, not {decode_mode}</source>
        <translation>解码模式必须是 exact 或 windowed，而不是 {decode_mode}</translation>
    </message>
    <message>
        <source>the stride must be 0 (automatic) or more, not {stride}</source>
        <translation>步长必须为 0（自动）或更大，而不是 {stride}</translation>
    </message>
    <message>
        <source>the pause must be from 0 to 60000 ms, not {pause_ms}</source>
        <translation>停顿必须为 0 到 60000 毫秒，而不是 {pause_ms}</translation>
    </message>
    <message>
        <source>the engine is closed</source>
        <translation>引擎已关闭</translation>
    </message>
    <message>
        <source>Load a model first.</source>
        <translation>请先加载模型。</translation>
    </message>
    <message>
        <source>{doing}{where} failed: {reason}</source>
        <translation>{doing}{where} 失败：{reason}</translation>
    </message>
    <message>
        <source>it is part {number} of {count} of a split model</source>
        <translation>这是分割模型的第 {number} 部分，共 {count} 部分</translation>
    </message>
    <message>
        <source>Join the parts with llama.cpp&apos;s llama-gguf-split --merge, or download the model as one file.</source>
        <translation>用 llama.cpp 的 llama-gguf-split --merge 合并各部分，或下载单个模型文件。</translation>
    </message>
    <message>
        <source>truncated or corrupt GGUF header: {reason}</source>
        <translation>GGUF 文件头被截断或损坏：{reason}</translation>
    </message>
    <message>
        <source>The file is damaged or incomplete; download it again.</source>
        <translation>文件已损坏或不完整；请重新下载。</translation>
    </message>
    <message>
        <source>not a GGUF file</source>
        <translation>不是 GGUF 文件</translation>
    </message>
    <message>
        <source>unsupported GGUF version {version}{big}</source>
        <translation>不支持的 GGUF 版本 {version}{big}</translation>
    </message>
    <message>
        <source>Versions 2 and 3 can be read.</source>
        <translation>可以读取版本 2 和 3。</translation>
    </message>
    <message>
        <source>duplicate key: {key}</source>
        <translation>重复的键：{key}</translation>
    </message>
    <message>
        <source>duplicate tensor: {name}</source>
        <translation>重复的张量：{name}</translation>
    </message>
    <message>
        <source>inconsistent metadata: {what} is {value}</source>
        <translation>元数据不一致：{what} 为 {value}</translation>
    </message>
    <message>
        <source>expected {expected} for key: {key} (found {text}{note})</source>
        <translation>键 {key} 应为 {expected}（实为 {text}{note}）</translation>
    </message>
    <message>
        <source>tensor {name} uses unsupported quantisation type {type_id}{named}</source>
        <translation>张量 {name} 使用了不支持的量化类型 {type_id}{named}</translation>
    </message>
    <message>
        <source>Choose another variant of the model, such as Q4_K, Q8_0 or F16.</source>
        <translation>请选择模型的其他版本，例如 Q4_K、Q8_0 或 F16。</translation>
    </message>
    <message>
        <source>the file is incomplete: needs {needed} bytes, has {size}; truncated: tensor {name} needs bytes {offset}..{end} but the file has {size}</source>
        <translation>文件不完整：需要 {needed} 字节，实有 {size} 字节；已截断：张量 {name} 需要字节 {offset}..{end}，但文件只有 {size} 字节</translation>
    </message>
    <message>
        <source>Download it again.</source>
        <translation>请重新下载。</translation>
    </message>
    <message>
        <source>missing tensor: {first}{also}</source>
        <translation>缺少张量：{first}{also}</translation>
    </message>
    <message>
        <source>{path}: is a folder, not a file</source>
        <translation>{path}：是文件夹，不是文件</translation>
    </message>
    <message>
        <source>{path}: is not a regular file</source>
        <translation>{path}：不是普通文件</translation>
    </message>
    <message>
        <source>{path}: cannot be opened: {reason}</source>
        <translation>{path}：无法打开：{reason}</translation>
    </message>
    <message>
        <source>Check the path and its permissions.</source>
        <translation>请检查路径及其权限。</translation>
    </message>
    <message>
        <source>tensor {name}: row length {length} is not a multiple of {block}</source>
        <translation>张量 {name}：行长 {length} 不是 {block} 的倍数</translation>
    </message>
    <message>
        <source>missing key: general.architecture</source>
        <translation>缺少键：general.architecture</translation>
    </message>
    <message>
        <source>Choose a GGUF of Fish Audio S2 Pro.</source>
        <translation>请选择 Fish Audio S2 Pro 的 GGUF 文件。</translation>
    </message>
    <message>
        <source>unexpected architecture: {value}</source>
        <translation>意外的架构：{value}</translation>
    </message>
    <message>
        <source>missing key: {key}</source>
        <translation>缺少键：{key}</translation>
    </message>
    <message>
        <source>{path}: not a GGUF file{reason}</source>
        <translation>{path}：不是 GGUF 文件{reason}</translation>
    </message>
    <message>
        <source>tensor {name} has shape {found}, expected {shape}</source>
        <translation>张量 {name} 的形状为 {found}，应为 {shape}</translation>
    </message>
    <message>
        <source>tensor {name} belongs to a weight norm that was not folded</source>
        <translation>张量 {name} 属于未合并的权重归一化</translation>
    </message>
    <message>
        <source>Export the model again with its weight norms folded into plain weights.</source>
        <translation>请将权重归一化合并为普通权重后重新导出模型。</translation>
    </message>
    <message>
        <source>{path}: {reason}</source>
        <translation>{path}：{reason}</translation>
    </message>
    <message>
        <source>The file {title}(architecture {architecture}, {count} tensors) is not a complete S2 Pro model with its codec.</source>
        <translation>文件 {title}（架构 {architecture}，{count} 个张量）不是带编解码器的完整 S2 Pro 模型。</translation>
    </message>
    <message>
        <source>{text!r} is not the address of a mirror</source>
        <translation>{text!r} 不是镜像地址</translation>
    </message>
    <message>
        <source>Write it like https://hf-mirror.example, or leave it empty for the hub itself.</source>
        <translation>请写成 https://hf-mirror.example 的形式，或留空以使用官方站点。</translation>
    </message>
    <message>
        <source>the access token holds blanks or characters that no token has</source>
        <translation>访问令牌含有空白或令牌中不会出现的字符</translation>
    </message>
    <message>
        <source>Copy it once more.</source>
        <translation>请重新复制。</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason})</source>
        <translation>无法读取 {path}（{reason}）</translation>
    </message>
    <message>
        <source>what arrived as {name} cannot be used: {reason}</source>
        <translation>作为 {name} 收到的内容无法使用：{reason}</translation>
    </message>
    <message>
        <source>It was thrown away. Try again, or another source.</source>
        <translation>已将其丢弃。请重试，或换一个来源。</translation>
    </message>
    <message>
        <source>{name} is not here, and offline mode is on</source>
        <translation>本地没有 {name}，且离线模式已开启</translation>
    </message>
    <message>
        <source>Turn offline mode off, or use a file that you have.</source>
        <translation>请关闭离线模式，或使用您已有的文件。</translation>
    </message>
    <message>
        <source>{name} arrived with the SHA-256 {found}… in place of {wanted}…</source>
        <translation>{name} 收到的 SHA-256 是 {found}…，而不是 {wanted}…</translation>
    </message>
    <message>
        <source>It was thrown away. Try again; with a mirror, try the hub itself.</source>
        <translation>已将其丢弃。请重试；如果用的是镜像，请试试原站。</translation>
    </message>
    <message>
        <source>no connection can be opened ({reason})</source>
        <translation>无法建立连接（{reason}）</translation>
    </message>
    <message>
        <source>the server redirects to nowhere</source>
        <translation>服务器转向了无效地址</translation>
    </message>
    <message>
        <source>the server redirects to an address without encryption</source>
        <translation>服务器转向了未加密的地址</translation>
    </message>
    <message>
        <source>This is refused. Use another mirror.</source>
        <translation>已拒绝。请使用其他镜像。</translation>
    </message>
    <message>
        <source>the certificate of the server is not trusted</source>
        <translation>服务器的证书不受信任</translation>
    </message>
    <message>
        <source>Look at the clock of this machine and at the address of the mirror.</source>
        <translation>请检查这台电脑的时钟和镜像地址。</translation>
    </message>
    <message>
        <source>the network settings of this machine cannot be used ({reason})</source>
        <translation>无法使用这台电脑的网络设置（{reason}）</translation>
    </message>
    <message>
        <source>Look at HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.</source>
        <translation>请检查 HTTPS_PROXY、ALL_PROXY 和 SSL_CERT_FILE。</translation>
    </message>
    <message>
        <source>the weights are under the {name}</source>
        <translation>权重适用 {name}</translation>
    </message>
    <message>
        <source>Read it and accept it first.</source>
        <translation>请先阅读并接受。</translation>
    </message>
    <message>
        <source>{title} is not here, and offline mode is on</source>
        <translation>本地没有 {title}，且离线模式已开启</translation>
    </message>
    <message>
        <source>{path} is not in the model folder</source>
        <translation>{path} 不在模型文件夹中</translation>
    </message>
    <message>
        <source>Remove it where it lies.</source>
        <translation>请在其所在位置删除。</translation>
    </message>
    <message>
        <source>{name} cannot be removed ({reason})</source>
        <translation>无法移除 {name}（{reason}）</translation>
    </message>
    <message>
        <source>Close whatever uses it, then try again.</source>
        <translation>请关闭正在使用它的程序，然后重试。</translation>
    </message>
    <message>
        <source>the server sends the request in a circle</source>
        <translation>服务器把请求来回转发</translation>
    </message>
    <message>
        <source>the server sends more than {name} can be</source>
        <translation>服务器发来的内容超过了 {name} 应有的大小</translation>
    </message>
    <message>
        <source>Look at the address of the mirror, or try the hub itself.</source>
        <translation>请检查镜像地址，或试试原站。</translation>
    </message>
    <message>
        <source>the server has fewer bytes than are here</source>
        <translation>服务器上的字节数比本地的少</translation>
    </message>
    <message>
        <source>the server answered with status {status} for {name}</source>
        <translation>服务器对 {name} 的回答为状态 {status}</translation>
    </message>
    <message>
        <source>Try later.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>a web page came in place of {name}</source>
        <translation>收到的是网页，而不是 {name}</translation>
    </message>
    <message>
        <source>Sign in to the network first, or look at the address of the mirror.</source>
        <translation>请先登录网络，或检查镜像地址。</translation>
    </message>
    <message>
        <source>the server packs {name} though it was asked not to</source>
        <translation>服务器压缩了 {name}，尽管要求不压缩</translation>
    </message>
    <message>
        <source>Use another mirror.</source>
        <translation>请使用其他镜像。</translation>
    </message>
    <message>
        <source>the server sent another piece than the one asked for</source>
        <translation>服务器发来的不是所请求的那一段</translation>
    </message>
    <message>
        <source>the server announces {announced} bytes in place of {size}</source>
        <translation>服务器声明为 {announced} 字节，而应为 {size} 字节</translation>
    </message>
    <message>
        <source>the file {name} on the server is not the one that is known</source>
        <translation>服务器上的文件 {name} 不是已知的那个文件</translation>
    </message>
    <message>
        <source>It was changed there, or the mirror is not honest. Nothing was kept of it.</source>
        <translation>文件在那里被改动过，或者镜像不可信。没有保留任何内容。</translation>
    </message>
    <message>
        <source>the file was changed on the server; it is fetched anew</source>
        <translation>服务器上的文件已更改，将重新下载</translation>
    </message>
    <message>
        <source>the connection ended early</source>
        <translation>连接提前结束</translation>
    </message>
    <message>
        <source>the server asks for patience (status {status})</source>
        <translation>服务器要求稍候（状态 {status}）</translation>
    </message>
    <message>
        <source>the storage refused (status {status})</source>
        <translation>存储服务器拒绝了请求（状态 {status}）</translation>
    </message>
    <message>
        <source>this version is gone; the newest one is asked for</source>
        <translation>该版本已不存在，改为请求最新版本</translation>
    </message>
    <message>
        <source>{host} has no {name} (status {status})</source>
        <translation>{host} 上没有 {name}（状态 {status}）</translation>
    </message>
    <message>
        <source>Look at the address of the mirror, or use a file that you have.</source>
        <translation>请检查镜像地址，或使用您已有的文件。</translation>
    </message>
    <message>
        <source>{name} is given only to accounts that were let in (status {status})</source>
        <translation>{name} 只提供给获准的账户（状态 {status}）</translation>
    </message>
    <message>
        <source>Accept the terms on the page of the weights and set an access token.</source>
        <translation>请在权重页面上接受条款，并填写访问令牌。</translation>
    </message>
    <message>
        <source>the address that {name} lies at cannot be used ({reason})</source>
        <translation>{name} 所在的地址无法使用（{reason}）</translation>
    </message>
    <message>
        <source>Look at the address of the mirror.</source>
        <translation>请检查镜像的地址。</translation>
    </message>
    <message>
        <source>the server has a fault (status {status})</source>
        <translation>服务器出现故障（状态 {status}）</translation>
    </message>
    <message>
        <source>the name of the server is not known; is this machine online?</source>
        <translation>找不到该服务器名；这台电脑联网了吗？</translation>
    </message>
    <message>
        <source>no connection to the server</source>
        <translation>无法连接服务器</translation>
    </message>
    <message>
        <source>the server sends nothing</source>
        <translation>服务器没有发来数据</translation>
    </message>
    <message>
        <source>the connection was cut</source>
        <translation>连接被中断</translation>
    </message>
    <message>
        <source>the connection failed ({kind})</source>
        <translation>连接失败（{kind}）</translation>
    </message>
    <message>
        <source>{name} could not be fetched: {reason}</source>
        <translation>无法下载 {name}：{reason}</translation>
    </message>
    <message>
        <source>Try later. What is there is kept; going on begins behind it.</source>
        <translation>请稍后再试。已下载的部分会保留，之后从断点继续。</translation>
    </message>
    <message>
        <source>Try again in {minutes} minutes. What is there is kept; going on begins behind it.</source>
        <translation>请在 {minutes} 分钟后重试。已下载的部分会保留，之后从断点继续。</translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason})</source>
        <translation>无法写入 {path}（{reason}）</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
    <message>
        <source>{needed:.1f} GB are still to come and {free:.1f} GB are free in {folder}</source>
        <translation>还需 {needed:.1f} GB，而 {folder} 中只有 {free:.1f} GB 可用</translation>
    </message>
    <message>
        <source>Make room, or choose a folder on another disk.</source>
        <translation>请腾出空间，或选择另一磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>the disk is full: {name} cannot be written on</source>
        <translation>磁盘已满：无法继续写入 {name}</translation>
    </message>
    <message>
        <source>What is there is kept. Make room and go on.</source>
        <translation>已有的部分会保留。请腾出空间后继续。</translation>
    </message>
    <message>
        <source>{name} is too large for the file system of {folder}</source>
        <translation>{name} 对 {folder} 的文件系统来说太大</translation>
    </message>
    <message>
        <source>Choose a folder on another disk; FAT32 ends at 4 GB.</source>
        <translation>请选择另一磁盘上的文件夹；FAT32 的单个文件上限为 4 GB。</translation>
    </message>
    <message>
        <source>{name} is already being downloaded</source>
        <translation>{name} 正在下载中</translation>
    </message>
    <message>
        <source>Wait for it, or stop it in the other window.</source>
        <translation>请等待其完成，或在另一个窗口中停止。</translation>
    </message>
    <message>
        <source>not enough memory for {capacity} positions of context ({size:.0f} MiB)</source>
        <translation>内存不足以容纳 {capacity} 个位置的上下文（{size:.0f} MiB）</translation>
    </message>
    <message>
        <source>Lower the frame limit, shorten the text, or close other programs.</source>
        <translation>请降低帧数上限、缩短文本，或关闭其他程序。</translation>
    </message>
    <message>
        <source>out of memory on {device} while {doing}</source>
        <translation>{device} 内存不足（{doing}）</translation>
    </message>
    <message>
        <source>Vulkan is not supported</source>
        <translation>不支持 Vulkan</translation>
    </message>
    <message>
        <source>Use --cuda, --metal or the CPU.</source>
        <translation>请使用 --cuda、--metal 或 CPU。</translation>
    </message>
    <message>
        <source>unknown device {name!r}</source>
        <translation>未知设备 {name!r}</translation>
    </message>
    <message>
        <source>Use cpu, cuda, cuda:N, mps or xpu.</source>
        <translation>请使用 cpu、cuda、cuda:N、mps 或 xpu。</translation>
    </message>
    <message>
        <source>{kind} is not available on this machine or in this build of torch</source>
        <translation>此电脑或此版本的 torch 不支持 {kind}</translation>
    </message>
    <message>
        <source>Use --device cpu, or install a build of torch for your GPU.</source>
        <translation>请改用 CPU，或安装适用于您的 GPU 的 torch 版本。</translation>
    </message>
    <message>
        <source>{kind} device {number} does not exist: valid are 0 to {last}</source>
        <translation>{kind} 设备 {number} 不存在：有效的是 0 到 {last}</translation>
    </message>
    <message>
        <source>{device} computes wrong results</source>
        <translation>{device} 的计算结果错误</translation>
    </message>
    <message>
        <source>Use --device cpu.</source>
        <translation>请改用 CPU。</translation>
    </message>
    <message>
        <source>--gpu-layers {gpu_layers} needs an accelerator</source>
        <translation>--gpu-layers {gpu_layers} 需要加速器</translation>
    </message>
    <message>
        <source>Select one with --device, or leave the option out.</source>
        <translation>请用 --device 选择一个，或去掉该选项。</translation>
    </message>
    <message>
        <source>{device} is listed but cannot run a product: {reason}</source>
        <translation>列出了 {device}，但它无法运算：{reason}</translation>
    </message>
    <message>
        <source>Use --device cpu, or a build of torch made for this GPU.</source>
        <translation>请改用 CPU，或安装支持此 GPU 的 torch 版本。</translation>
    </message>
    <message>
        <source>the model needs at least {needed:.1f} GB of memory beside its file, and {free:.1f} GB are free</source>
        <translation>除文件外，模型至少需要 {needed:.1f} GB 内存，而可用的有 {free:.1f} GB</translation>
    </message>
    <message>
        <source>Close other programs, or use a smaller model file.</source>
        <translation>请关闭其他程序，或使用更小的模型文件。</translation>
    </message>
    <message>
        <source>{variable} asks for {name} kernels, which this processor cannot run</source>
        <translation>{variable} 要求使用 {name} 内核，而本处理器无法运行</translation>
    </message>
    <message>
        <source>Set it to {known}, or leave it out.</source>
        <translation>请设为 {known}，或不设置。</translation>
    </message>
    <message>
        <source>--gpu-layers {gpu_layers} is taken as -1 (all)</source>
        <translation>--gpu-layers {gpu_layers} 按 -1（全部）处理</translation>
    </message>
    <message>
        <source>--gpu-layers {gpu_layers} is cut to the model&apos;s {block_count}</source>
        <translation>--gpu-layers {gpu_layers} 已减少为模型的 {block_count} 层</translation>
    </message>
    <message>
        <source>{fitting} of {count} layers fit into the {free:.1f} GB that are free on {device}; the CPU computes the others</source>
        <translation>{device} 上空闲的 {free:.1f} GB 可容纳 {count} 层中的 {fitting} 层；其余由 CPU 计算</translation>
    </message>
    <message>
        <source>the model runs on the CPU</source>
        <translation>模型在 CPU 上运行</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>按设置指定</translation>
    </message>
    <message>
        <source>follows the model&apos;s device</source>
        <translation>与模型使用同一设备</translation>
    </message>
    <message>
        <source>the model needs {needed:.1f} GB to run at full speed, and {free:.1f} GB are free: parts of it will be read from the disk again and again; close other programs, or use a smaller model file</source>
        <translation>全速运行模型需要 {needed:.1f} GB，而可用的有 {free:.1f} GB：部分内容会反复从磁盘读取；请关闭其他程序，或使用更小的模型文件</translation>
    </message>
    <message>
        <source>the prompt takes {columns} of the model&apos;s {length} columns and leaves no room for speech</source>
        <translation>提示占用了模型 {length} 列中的 {columns} 列，没有留给语音的空间</translation>
    </message>
    <message>
        <source>text is empty</source>
        <translation>文本为空</translation>
    </message>
    <message>
        <source>Type what the voice shall say.</source>
        <translation>请输入要朗读的内容。</translation>
    </message>
    <message>
        <source>the text holds nothing to speak</source>
        <translation>文本中没有可朗读的内容</translation>
    </message>
    <message>
        <source>codes to begin with belong to a text that is spoken in one piece, and this one has {count}</source>
        <translation>开头的码只适用于一次说完的文本，而这段文本有 {count} 段</translation>
    </message>
    <message>
        <source>Speak the piece they are from alone, or leave them out.</source>
        <translation>请单独说出它们所属的那一段，或者不使用它们。</translation>
    </message>
    <message>
        <source>the text has no piece {piece} to go on with</source>
        <translation>文本没有第 {piece} 段可以继续</translation>
    </message>
    <message>
        <source>Speak it from the beginning.</source>
        <translation>请从头朗读。</translation>
    </message>
    <message>
        <source>piece {piece} goes on with the intonation of the one before it, whose codes are missing</source>
        <translation>第 {piece} 段要延续前一段的语调，但缺少前一段的编码</translation>
    </message>
    <message>
        <source>Speak the text from the beginning.</source>
        <translation>请从头朗读这段文本。</translation>
    </message>
    <message>
        <source>Type something to say.</source>
        <translation>请输入要说的内容。</translation>
    </message>
    <message>
        <source>prompt needs {columns} columns but the context holds {context_length}</source>
        <translation>提示需要 {columns} 列，但上下文只有 {context_length} 列</translation>
    </message>
    <message>
        <source>{entry}: not a pronunciation</source>
        <translation>{entry}：不是有效的发音条目</translation>
    </message>
    <message>
        <source>Write: word = what to say, each in at most 200 letters without brackets.</source>
        <translation>写法：词 = 读法，各不超过 200 个字符，且不含括号。</translation>
    </message>
    <message>
        <source>more than {limit} pronunciations</source>
        <translation>发音条目超过 {limit} 条</translation>
    </message>
    <message>
        <source>the pause {tag} is longer than {longest} s</source>
        <translation>停顿 {tag} 超过 {longest} 秒</translation>
    </message>
    <message>
        <source>Put several pauses one behind the other.</source>
        <translation>请把多个停顿依次写在一起。</translation>
    </message>
    <message>
        <source>{tag} has no unit and goes to the model as a style; write [pause 500ms] or [pause 1.2s] for a pause of exact length</source>
        <translation>{tag} 没有单位，会作为风格标签交给模型；若要精确停顿，请写 [pause 500ms] 或 [pause 1.2s]</translation>
    </message>
    <message>
        <source>the pause at the end of the text is cut, because silence at the end shall be</source>
        <translation>已设置裁去结尾静音，因此文本末尾的停顿被裁去</translation>
    </message>
    <message>
        <source>the text of earlier turn {number} is empty</source>
        <translation>之前第 {number} 轮的文本为空</translation>
    </message>
    <message>
        <source>max chars must be 0 or more, not {max_chars}</source>
        <translation>最大字符数必须为 0 或更大，而不是 {max_chars}</translation>
    </message>
    <message>
        <source>the text holds half a character (a lone surrogate) at position {at}</source>
        <translation>文本在位置 {at} 含有半个字符（孤立的代理项）</translation>
    </message>
    <message>
        <source>Delete it and type the character again.</source>
        <translation>请删除后重新输入该字符。</translation>
    </message>
    <message>
        <source>{name} cannot be read as text ({reason})</source>
        <translation>无法将 {name} 作为文本读取（{reason}）</translation>
    </message>
    <message>
        <source>Save it as plain text in UTF-8 and try again.</source>
        <translation>请保存为 UTF-8 纯文本后重试。</translation>
    </message>
    <message>
        <source>the script holds nothing to speak</source>
        <translation>文稿中没有可朗读的内容</translation>
    </message>
    <message>
        <source>Type a text first.</source>
        <translation>请先输入文本。</translation>
    </message>
    <message>
        <source>more than {frames} frames in one pass lose loudness and quality; cut the text into pieces</source>
        <translation>一次超过 {frames} 帧会降低响度和质量；请将文本切成几段</translation>
    </message>
    <message>
        <source>cut at the limit of frames: the text may not be finished; raise the frame limit or shorten the text</source>
        <translation>已在帧数上限处截断：文本可能没有读完；请提高上限或缩短文本</translation>
    </message>
    <message>
        <source>cut at the limit of frames in piece {piece}: the text may not be finished; raise the frame limit or shorten the text</source>
        <translation>第 {piece} 段在帧数上限处被截断：文本可能没有说完；请提高帧数上限或缩短文本</translation>
    </message>
    <message>
        <source>the end token {im_end} is not an ordinary id of the model&apos;s {vocab_size} ids</source>
        <translation>结束标记 {im_end} 不是模型 {vocab_size} 个编号中的普通编号</translation>
    </message>
    <message>
        <source>Use the tokenizer.json that belongs to the model.</source>
        <translation>请使用与模型配套的 tokenizer.json。</translation>
    </message>
    <message>
        <source>tokenizer not found: {file} is in none of these folders: {looked}</source>
        <translation>找不到分词器：以下文件夹中都没有 {file}：{looked}</translation>
    </message>
    <message>
        <source>Put tokenizer.json beside the model, or give its path.</source>
        <translation>请将 tokenizer.json 放在模型旁边，或指定其路径。</translation>
    </message>
    <message>
        <source>tokenizer not found: {chosen}</source>
        <translation>找不到分词器：{chosen}</translation>
    </message>
    <message>
        <source>Give the path of the model&apos;s tokenizer.json.</source>
        <translation>请指定该模型的 tokenizer.json 路径。</translation>
    </message>
    <message>
        <source>the tokenizer has {semantic_count} semantic tokens, the model {count}</source>
        <translation>分词器有 {semantic_count} 个语义标记，模型有 {count} 个</translation>
    </message>
    <message>
        <source>the tokenizer uses ids up to {last}, the model has {vocab_size} of them</source>
        <translation>分词器使用的编号到 {last}，模型只有 {vocab_size} 个</translation>
    </message>
    <message>
        <source>tokenizer is missing required token {content}</source>
        <translation>分词器缺少必需的标记 {content}</translation>
    </message>
    <message>
        <source>Use the tokenizer.json that was released with the model.</source>
        <translation>请使用随模型发布的 tokenizer.json。</translation>
    </message>
    <message>
        <source>tokenizer JSON parse error: {reason}</source>
        <translation>分词器 JSON 解析错误：{reason}</translation>
    </message>
    <message>
        <source>the tokenizer turns plain text into the control token {token}</source>
        <translation>分词器把普通文本变成了控制标记 {token}</translation>
    </message>
    <message>
        <source>{content} has id {found} in the tokenizer but {expected} in the model</source>
        <translation>{content} 在分词器中的编号为 {found}，在模型中为 {expected}</translation>
    </message>
    <message>
        <source>tokenizer is missing required token &lt;|semantic:{index}|&gt;</source>
        <translation>分词器缺少必需的标记 &lt;|semantic:{index}|&gt;</translation>
    </message>
    <message>
        <source>the semantic ids of the tokenizer are not contiguous: &lt;|semantic:{index}|&gt; has id {found}, not {expected}</source>
        <translation>分词器的语义编号不连续：&lt;|semantic:{index}|&gt; 的编号为 {found}，而不是 {expected}</translation>
    </message>
    <message>
        <source>tokenizer not found: {path}</source>
        <translation>找不到分词器：{path}</translation>
    </message>
    <message>
        <source>tokenizer cannot be read: {path}: {reason}</source>
        <translation>无法读取分词器：{path}：{reason}</translation>
    </message>
    <message>
        <source>inconsistent metadata: the model has {num_codebooks} codebooks but the codec {codec_codebooks}</source>
        <translation>元数据不一致：模型有 {num_codebooks} 个码本，而编解码器有 {codec_codebooks} 个</translation>
    </message>
    <message>
        <source>Get the model file again.</source>
        <translation>请重新获取模型文件。</translation>
    </message>
    <message>
        <source>the model cannot be loaded on {device}: {reason}</source>
        <translation>无法在 {device} 上加载模型：{reason}</translation>
    </message>
    <message>
        <source>no model is loaded</source>
        <translation>尚未加载模型</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>{host} sends samples of {bits} bits, which are not understood here</source>
        <translation>{host} 发送 {bits} 位的采样，这里无法处理</translation>
    </message>
    <message>
        <source>Set the server to 16 bits.</source>
        <translation>请将服务器设为 16 位。</translation>
    </message>
    <message>
        <source>the text, its voice or its transcript holds half a character (a lone surrogate)</source>
        <translation>文本、其音色或其文字稿含有半个字符（孤立的代理项）</translation>
    </message>
    <message>
        <source>{server} takes a top-k of at most {top_k_limit}, not {top_k}</source>
        <translation>{server} 的 top-k 最大为 {top_k_limit}，不能是 {top_k}</translation>
    </message>
    <message>
        <source>Lower it, or use 0 for no limit.</source>
        <translation>请调低，或用 0 表示不限制。</translation>
    </message>
    <message>
        <source>{server} takes no recordings, so it cannot clone a voice</source>
        <translation>{server} 不接受录音，因此无法克隆音色</translation>
    </message>
    <message>
        <source>Choose one of its own voices, or another server.</source>
        <translation>请选择它自带的音色，或换一个服务器。</translation>
    </message>
    <message>
        <source>the server has no voice {voice!r}</source>
        <translation>服务器没有音色 {voice!r}</translation>
    </message>
    <message>
        <source>It has: {known}.</source>
        <translation>可用：{known}。</translation>
    </message>
    <message>
        <source>a server speaks with one voice in a request</source>
        <translation>服务器每次请求只能使用一个音色</translation>
    </message>
    <message>
        <source>Let one speaker speak, or use the model on this computer.</source>
        <translation>请只用一个说话人，或使用本机模型。</translation>
    </message>
    <message>
        <source>a server speaks a text from its beginning only</source>
        <translation>服务器只能从头朗读文本</translation>
    </message>
    <message>
        <source>Speak it whole, or go on with the model on this computer.</source>
        <translation>请完整朗读，或用本机的模型继续。</translation>
    </message>
    <message>
        <source>the voice holds codes, and servers take recordings</source>
        <translation>音色保存的是编码，而服务器需要录音</translation>
    </message>
    <message>
        <source>Open a model on this computer, which turns the codes into sound for the server, or choose a voice of the server.</source>
        <translation>请在本机打开模型，由它把编码还原成声音发给服务器；或选择服务器的音色。</translation>
    </message>
    <message>
        <source>servers make no codes of recordings and no sound of codes</source>
        <translation>服务器不能把录音变成编码，也不能把编码变成声音</translation>
    </message>
    <message>
        <source>Open a model on this computer for that.</source>
        <translation>请为此在本机打开模型。</translation>
    </message>
    <message>
        <source>{server} takes a {name} from {low:g} to {high:g}, not {value:g}</source>
        <translation>{server} 的 {name} 取值范围为 {low:g} 到 {high:g}，不能是 {value:g}</translation>
    </message>
    <message>
        <source>Change it.</source>
        <translation>请修改。</translation>
    </message>
    <message>
        <source>{host}: {reason}</source>
        <translation>{host}：{reason}</translation>
    </message>
    <message>
        <source>What came until then is kept. Look at the server&apos;s log, then try again.</source>
        <translation>已收到的声音已保留。请查看服务器日志后重试。</translation>
    </message>
    <message>
        <source>an event of the server has no end</source>
        <translation>服务器的一个事件没有结尾</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>{host} ended the stream without saying that it is complete</source>
        <translation>{host} 结束了传输，但没有说明已经完成</translation>
    </message>
    <message>
        <source>{host} sent an event that cannot be read</source>
        <translation>{host} 发送了无法读取的事件</translation>
    </message>
    <message>
        <source>Choose the kind by hand.</source>
        <translation>请手动选择类型。</translation>
    </message>
    <message>
        <source>{host} sent sound that is no base64</source>
        <translation>{host} 发送的声音不是 base64</translation>
    </message>
    <message>
        <source>nobody answers at {host}: {reason}</source>
        <translation>{host} 没有响应：{reason}</translation>
    </message>
    <message>
        <source>Start the server there, or correct the address.</source>
        <translation>请启动该服务器，或更正地址。</translation>
    </message>
    <message>
        <source>the connection to {host} was lost: {reason}</source>
        <translation>与 {host} 的连接已断开：{reason}</translation>
    </message>
    <message>
        <source>the certificate of {host} cannot be trusted: {reason}</source>
        <translation>{host} 的证书不受信任：{reason}</translation>
    </message>
    <message>
        <source>Use an address that its certificate is made for.</source>
        <translation>请使用与其证书匹配的地址。</translation>
    </message>
    <message>
        <source>{host} did not answer within {seconds:.0f} s</source>
        <translation>{host} 在 {seconds:.0f} 秒内没有响应</translation>
    </message>
    <message>
        <source>Check the address, and that the server runs and can be reached from here.</source>
        <translation>请检查地址，并确认服务器正在运行且可从本机访问。</translation>
    </message>
    <message>
        <source>{host} sent nothing within {seconds:.0f} s</source>
        <translation>{host} 在 {seconds:.0f} 秒内没有发送任何内容</translation>
    </message>
    <message>
        <source>It may be loading its model or be overloaded. Try again later.</source>
        <translation>它可能正在加载模型或负载过高。请稍后再试。</translation>
    </message>
    <message>
        <source>{host} sent nothing more for {seconds:.0f} s</source>
        <translation>{host} 已 {seconds:.0f} 秒没有继续发送</translation>
    </message>
    <message>
        <source>What came until then is kept. Look at the server, then try again.</source>
        <translation>已收到的声音已保留。请检查服务器后重试。</translation>
    </message>
    <message>
        <source>the answer of {host} cannot be read: {reason}</source>
        <translation>无法读取 {host} 的应答：{reason}</translation>
    </message>
    <message>
        <source>{host} broke the connection off before the answer was complete</source>
        <translation>{host} 在应答完成前断开了连接</translation>
    </message>
    <message>
        <source>the address of the server is missing</source>
        <translation>缺少服务器地址</translation>
    </message>
    <message>
        <source>Give it like http://127.0.0.1:3030.</source>
        <translation>请按 http://127.0.0.1:3030 的形式填写。</translation>
    </message>
    <message>
        <source>{text!r} is no HTTP address</source>
        <translation>{text!r} 不是 HTTP 地址</translation>
    </message>
    <message>
        <source>the address holds a user name or a password</source>
        <translation>地址中含有用户名或密码</translation>
    </message>
    <message>
        <source>Give a key as the API key instead.</source>
        <translation>请改用 API 密钥。</translation>
    </message>
    <message>
        <source>there is no kind of server {kind!r}</source>
        <translation>没有 {kind!r} 这种服务器</translation>
    </message>
    <message>
        <source>Use one of {known}.</source>
        <translation>请使用 {known} 之一。</translation>
    </message>
    <message>
        <source>the API key holds blanks or characters that no key has</source>
        <translation>API 密钥中含有空格或无效字符</translation>
    </message>
    <message>
        <source>{text!r} is no address</source>
        <translation>{text!r} 不是地址</translation>
    </message>
    <message>
        <source>{host} answers, but has no speech API</source>
        <translation>{host} 有响应，但没有语音接口</translation>
    </message>
    <message>
        <source>Check address and port, or choose the kind of server by hand.</source>
        <translation>请检查地址和端口，或手动选择服务器类型。</translation>
    </message>
    <message>
        <source>{host} sent {kind} instead of sound{words}</source>
        <translation>{host} 发送了 {kind} 而不是声音{words}</translation>
    </message>
    <message>
        <source>Choose the kind of server by hand, or another address.</source>
        <translation>请手动选择服务器类型，或换一个地址。</translation>
    </message>
    <message>
        <source>{host} answered with a web page</source>
        <translation>{host} 返回了一个网页</translation>
    </message>
    <message>
        <source>This is the address of a website or a proxy; use that of the speech API.</source>
        <translation>这是网站或代理的地址；请使用语音接口的地址。</translation>
    </message>
    <message>
        <source>{host} points to {target}</source>
        <translation>{host} 指向 {target}</translation>
    </message>
    <message>
        <source>Use that address.</source>
        <translation>请使用那个地址。</translation>
    </message>
    <message>
        <source>the sound of the server is no WAV that can be played: {why}</source>
        <translation>服务器的声音不是可播放的 WAV：{why}</translation>
    </message>
    <message>
        <source>Choose the kind of server by hand.</source>
        <translation>请手动选择服务器类型。</translation>
    </message>
    <message>
        <source>the server says that its sound has {channels} channels at {rate} Hz</source>
        <translation>服务器说其声音有 {channels} 个声道，{rate} Hz</translation>
    </message>
    <message>
        <source>Look at the settings of the server.</source>
        <translation>请查看服务器的设置。</translation>
    </message>
    <message>
        <source>the sound ended within its header</source>
        <translation>声音在文件头内就结束了</translation>
    </message>
    <message>
        <source>the sound ended {missing} bytes before the end that its header tells</source>
        <translation>声音比文件头所述少了 {missing} 字节</translation>
    </message>
    <message>
        <source>What came until then is kept. Try again.</source>
        <translation>已收到的声音已保留。请重试。</translation>
    </message>
    <message>
        <source>it does not begin like one</source>
        <translation>其开头不像 WAV</translation>
    </message>
    <message>
        <source>it does not say what its samples are</source>
        <translation>没有说明采样的格式</translation>
    </message>
    <message>
        <source>it has {channels} channels at {rate} Hz</source>
        <translation>它有 {channels} 个声道，{rate} Hz</translation>
    </message>
    <message>
        <source>its samples are of the kind {tag} with {bits} bits</source>
        <translation>其采样类型为 {tag}，{bits} 位</translation>
    </message>
    <message>
        <source>its header has no end</source>
        <translation>其文件头没有结尾</translation>
    </message>
    <message>
        <source>the server sent no sound</source>
        <translation>服务器没有发送声音</translation>
    </message>
    <message>
        <source>Try another text or voice.</source>
        <translation>请换一段文本或一个音色。</translation>
    </message>
    <message>
        <source>{host}: {said}</source>
        <translation>{host}：{said}</translation>
    </message>
    <message>
        <source>{host} answered with status {status}</source>
        <translation>{host} 返回状态码 {status}</translation>
    </message>
    <message>
        <source>a server does not carry the melody from piece to piece</source>
        <translation>服务器不会在分段之间延续语调</translation>
    </message>
    <message>
        <source>the recording that was sent is empty and was not used</source>
        <translation>发送的录音是空的，未被使用</translation>
    </message>
    <message>
        <source>the client read nothing for {waited:.0f} s</source>
        <translation>客户端 {waited:.0f} 秒没有读取任何内容</translation>
    </message>
    <message>
        <source>there is no port {port}</source>
        <translation>没有端口 {port}</translation>
    </message>
    <message>
        <source>Choose one from 0 to {limit}.</source>
        <translation>请在 0 到 {limit} 之间选择。</translation>
    </message>
    <message>
        <source>the server runs already</source>
        <translation>服务器已在运行</translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation>请先停止它。</translation>
    </message>
    <message>
        <source>the server did not come up</source>
        <translation>服务器未能启动</translation>
    </message>
    <message>
        <source>See the log.</source>
        <translation>请查看日志。</translation>
    </message>
    <message>
        <source>the address {host} is not known: {reason}</source>
        <translation>地址 {host} 未知：{reason}</translation>
    </message>
    <message>
        <source>Check --host.</source>
        <translation>请检查 --host。</translation>
    </message>
    <message>
        <source>cannot listen on {host} port {port}: {reason}</source>
        <translation>无法在 {host} 的端口 {port} 上监听：{reason}</translation>
    </message>
    <message>
        <source>Choose another port, or stop the program that uses it.</source>
        <translation>请换一个端口，或停止占用它的程序。</translation>
    </message>
    <message>
        <source>the server needs a library that is not installed: {name}</source>
        <translation>服务器需要尚未安装的库：{name}</translation>
    </message>
    <message>
        <source>Install it: pip install &quot;s2-voice-studio[server]&quot;</source>
        <translation>请安装：pip install &quot;s2-voice-studio[server]&quot;</translation>
    </message>
    <message>
        <source>{target} could not be written: {reason}</source>
        <translation>无法写入 {target}：{reason}</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>请选择其他位置。</translation>
    </message>
    <message>
        <source>there is no room left to write {target}</source>
        <translation>没有空间写入 {target}</translation>
    </message>
    <message>
        <source>Free some space or save elsewhere.</source>
        <translation>请释放一些空间或保存到别处。</translation>
    </message>
    <message>
        <source>{target} may not be written, or another program holds it open</source>
        <translation>不允许写入 {target}，或其他程序正在占用它</translation>
    </message>
    <message>
        <source>Close the other program, or choose another name or folder.</source>
        <translation>请关闭其他程序，或选择其他名称或文件夹。</translation>
    </message>
    <message>
        <source>the folder for {target} does not exist</source>
        <translation>{target} 的文件夹不存在</translation>
    </message>
    <message>
        <source>Choose a folder that exists.</source>
        <translation>请选择存在的文件夹。</translation>
    </message>
    <message>
        <source>{target} is a folder</source>
        <translation>{target} 是文件夹</translation>
    </message>
    <message>
        <source>Give a file name.</source>
        <translation>请给出文件名。</translation>
    </message>
    <message>
        <source>the file name {target} is too long</source>
        <translation>文件名 {target} 太长</translation>
    </message>
    <message>
        <source>Choose a shorter one.</source>
        <translation>请选择更短的名称。</translation>
    </message>
    <message>
        <source>the program that reads {target} closed the connection</source>
        <translation>读取 {target} 的程序关闭了连接</translation>
    </message>
    <message>
        <source>the name {target} cannot be used</source>
        <translation>名称 {target} 无法使用</translation>
    </message>
    <message>
        <source>Choose another.</source>
        <translation>请另选一个。</translation>
    </message>
    <message>
        <source>{target} exists already</source>
        <translation>{target} 已存在</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请换一个名称。</translation>
    </message>
    <message>
        <source>{folder} cannot be made ({reason})</source>
        <translation>无法创建 {folder}（{reason}）</translation>
    </message>
    <message>
        <source>the take could not be moved: {reason}</source>
        <translation>无法移动该语音：{reason}</translation>
    </message>
    <message>
        <source>Close programs that use it and try again.</source>
        <translation>请关闭正在使用它的程序后重试。</translation>
    </message>
    <message>
        <source>{take_id!r} is no name of a take</source>
        <translation>{take_id!r} 不是语音的名称</translation>
    </message>
    <message>
        <source>its sound is damaged or cut</source>
        <translation>其声音已损坏或被截断</translation>
    </message>
    <message>
        <source>the take is no longer in the trash</source>
        <translation>该语音已不在回收站中</translation>
    </message>
    <message>
        <source>{trash} is a link</source>
        <translation>{trash} 是链接</translation>
    </message>
    <message>
        <source>Remove the link.</source>
        <translation>请删除该链接。</translation>
    </message>
    <message>
        <source>the take does not exist any more</source>
        <translation>该语音已不存在</translation>
    </message>
    <message>
        <source>its sound cannot be read: {reason}</source>
        <translation>无法读取其声音：{reason}</translation>
    </message>
    <message>
        <source>its {file} is a link</source>
        <translation>其 {file} 是链接</translation>
    </message>
    <message>
        <source>it is a link</source>
        <translation>它是链接</translation>
    </message>
    <message>
        <source>its sound is missing</source>
        <translation>缺少其声音</translation>
    </message>
    <message>
        <source>the name template holds {field}, which is unknown</source>
        <translation>名称模板含有未知的 {field}</translation>
    </message>
    <message>
        <source>Known are {known}.</source>
        <translation>已知的有 {known}。</translation>
    </message>
    <message>
        <source>its {file} is too large</source>
        <translation>其 {file} 太大</translation>
    </message>
    <message>
        <source>its {file} holds no story</source>
        <translation>其 {file} 没有来历记录</translation>
    </message>
    <message>
        <source>its {file} holds a code out of range</source>
        <translation>其 {file} 含有超出范围的编码</translation>
    </message>
    <message>
        <source>its {file} cannot be read: {reason}</source>
        <translation>无法读取其 {file}：{reason}</translation>
    </message>
    <message>
        <source>its {file} is of an unknown form</source>
        <translation>其 {file} 的格式未知</translation>
    </message>
    <message>
        <source>its {file} is damaged: {reason}</source>
        <translation>其 {file} 已损坏：{reason}</translation>
    </message>
    <message>
        <source>its codes cannot be read: {reason}</source>
        <translation>无法读取其编码：{reason}</translation>
    </message>
    <message>
        <source>no codec</source>
        <translation>没有编解码器</translation>
    </message>
    <message>
        <source>The sound of this file was changed since it was exported, so it is shown as it is now; its text and settings are those of the take before.</source>
        <translation>此文件的声音在导出后被更改，因此按现在的样子显示；其文本和设置是之前那次语音的。</translation>
    </message>
    <message>
        <source>what the file says about itself is too long</source>
        <translation>文件中关于自身的记录太长</translation>
    </message>
    <message>
        <source>Use it as a recording instead.</source>
        <translation>请改作录音使用。</translation>
    </message>
    <message>
        <source>the file holds no codes</source>
        <translation>文件不含编码</translation>
    </message>
    <message>
        <source>Generate it again with its seed.</source>
        <translation>请用它的种子重新生成。</translation>
    </message>
    <message>
        <source>the take was made by a model with another codec: {differences}</source>
        <translation>该语音由使用其他编解码器的模型生成：{differences}</translation>
    </message>
    <message>
        <source>Open the model {model}, or play the file as it is.</source>
        <translation>请打开模型 {model}，或直接播放该文件。</translation>
    </message>
    <message>
        <source>it was saved in the form {form}, which is unknown here</source>
        <translation>它以 {form} 格式保存，这里无法识别</translation>
    </message>
    <message>
        <source>Install a newer version of the program.</source>
        <translation>请安装更新版本的程序。</translation>
    </message>
    <message>
        <source>the file cannot be opened: {reason}</source>
        <translation>无法打开文件：{reason}</translation>
    </message>
    <message>
        <source>what the file says about itself is damaged or cut</source>
        <translation>文件中关于自身的记录已损坏或被截断</translation>
    </message>
    <message>
        <source>what the file says is damaged: {reason}</source>
        <translation>文件中的记录已损坏：{reason}</translation>
    </message>
    <message>
        <source>the file cannot be read: {reason}</source>
        <translation>无法读取文件：{reason}</translation>
    </message>
    <message>
        <source>the codes of the take cannot be used: {reason}</source>
        <translation>无法使用该语音的编码：{reason}</translation>
    </message>
    <message>
        <source>the take was made before random numbers were counted by frame, so its seed may sound different when it is spoken again</source>
        <translation>该录音是在随机数改为按帧计数之前生成的，因此用同一种子重新朗读时可能听起来不同</translation>
    </message>
    <message>
        <source>they have another number of codebooks than the take</source>
        <translation>其码本数与该语音不同</translation>
    </message>
    <message>
        <source>codes must be whole numbers with two axes: codebooks, frames</source>
        <translation>编码必须是有码本和帧两个维度的整数</translation>
    </message>
    <message>
        <source>codes of the shape {shape} cannot be kept</source>
        <translation>形状为 {shape} 的编码无法保留</translation>
    </message>
    <message>
        <source>a code is out of range</source>
        <translation>有编码超出范围</translation>
    </message>
    <message>
        <source>there are too many codes to keep</source>
        <translation>编码太多，无法保留</translation>
    </message>
    <message>
        <source>they are cut</source>
        <translation>编码被截断</translation>
    </message>
    <message>
        <source>their version {version} is unknown</source>
        <translation>编码的版本 {version} 未知</translation>
    </message>
    <message>
        <source>their header is damaged</source>
        <translation>编码的文件头已损坏</translation>
    </message>
    <message>
        <source>their size makes no sense</source>
        <translation>编码的大小不合理</translation>
    </message>
    <message>
        <source>there are too many</source>
        <translation>编码太多</translation>
    </message>
    <message>
        <source>their checksum is wrong</source>
        <translation>编码的校验和错误</translation>
    </message>
    <message>
        <source>one is out of range</source>
        <translation>有一个超出范围</translation>
    </message>
    <message>
        <source>their length is wrong</source>
        <translation>编码的长度错误</translation>
    </message>
    <message>
        <source>they are damaged</source>
        <translation>编码已损坏</translation>
    </message>
    <message>
        <source>temperature must be from 0 to below 2, not {temperature:g}</source>
        <translation>温度必须从 0 到小于 2，而不是 {temperature:g}</translation>
    </message>
    <message>
        <source>top-p must be above 0 and at most 1, not {top_p:g}</source>
        <translation>top-p 必须大于 0 且不超过 1，而不是 {top_p:g}</translation>
    </message>
    <message>
        <source>top-k must be 0 (no limit) or more, not {top_k}</source>
        <translation>top-k 必须为 0（无限制）或更大，而不是 {top_k}</translation>
    </message>
    <message>
        <source>max tokens must be at least 1, not {max_new_tokens}</source>
        <translation>最大帧数至少为 1，而不是 {max_new_tokens}</translation>
    </message>
    <message>
        <source>min tokens before end must be 0 or more, not {min_tokens_before_end}</source>
        <translation>结束前的最小帧数必须为 0 或更大，而不是 {min_tokens_before_end}</translation>
    </message>
    <message>
        <source>the seed must be from 0 to 2^64 - 1, not {seed}</source>
        <translation>种子必须为 0 到 2^64 - 1，而不是 {seed}</translation>
    </message>
    <message>
        <source>{source} cannot be read: {reason}</source>
        <translation>无法读取 {source}：{reason}</translation>
    </message>
    <message>
        <source>Check the disk, and put the voice there again from a copy.</source>
        <translation>请检查磁盘，并从副本重新放入该音色。</translation>
    </message>
    <message>
        <source>several voices are called {voice_id} but for case and accents: {names}</source>
        <translation>有多个音色名为 {voice_id}，仅大小写或重音不同：{names}</translation>
    </message>
    <message>
        <source>Rename all but one of them.</source>
        <translation>请重命名，只保留一个。</translation>
    </message>
    <message>
        <source>failed to save voice profile: {name}</source>
        <translation>无法保存音色文件：{name}</translation>
    </message>
    <message>
        <source>Reason: {reason}. Check the folder {folder} and save again.</source>
        <translation>原因：{reason}。请检查文件夹 {folder} 后重新保存。</translation>
    </message>
    <message>
        <source>invalid voice name: {voice_id!r}</source>
        <translation>无效的音色名称：{voice_id!r}</translation>
    </message>
    <message>
        <source>No voice is called so. The name of a voice&apos;s file has letters, digits, blanks, &apos;-&apos;, &apos;_&apos; and &apos;.&apos;, no blank or &apos;.&apos; at either end, and is no device name such as CON.</source>
        <translation>没有这个名称的音色。音色的文件名由字母、数字、空格、“-”、“_”和“.”组成，首尾不能是空格或“.”，也不能是 CON 之类的设备名。</translation>
    </message>
    <message>
        <source>the voice name is too long for a file name: {voice_id!r}...</source>
        <translation>音色名称作为文件名太长：{voice_id!r}...</translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation>请缩短。</translation>
    </message>
    <message>
        <source>voice path is outside the voice directory: {path}</source>
        <translation>音色路径在音色文件夹之外：{path}</translation>
    </message>
    <message>
        <source>Replace the link by the file itself.</source>
        <translation>请用文件本身替换该链接。</translation>
    </message>
    <message>
        <source>no voice named {name}</source>
        <translation>没有名为 {name} 的音色</translation>
    </message>
    <message>
        <source>failed to remove voice profile: {voice_id}</source>
        <translation>无法删除音色文件：{voice_id}</translation>
    </message>
    <message>
        <source>Reason: {reason}.</source>
        <translation>原因：{reason}。</translation>
    </message>
    <message>
        <source>the voice name {voice_id} differs from the existing {stem} only in letter case or accents</source>
        <translation>音色名称 {voice_id} 与已有的 {stem} 只有大小写或重音不同</translation>
    </message>
    <message>
        <source>Choose a name that differs more, or rename the other voice.</source>
        <translation>请选择区别更大的名称，或重命名另一个音色。</translation>
    </message>
    <message>
        <source>cannot open voice profile: {path}</source>
        <translation>无法打开音色文件：{path}</translation>
    </message>
    <message>
        <source>Reason: {reason}. Choose another voice.</source>
        <translation>原因：{reason}。请选择其他音色。</translation>
    </message>
    <message>
        <source>voice codes must be whole numbers with two axes: codebooks, frames</source>
        <translation>音色编码必须是有码本和帧两个维度的整数</translation>
    </message>
    <message>
        <source>cannot save voice profile without transcript</source>
        <translation>没有文字稿，无法保存音色档案</translation>
    </message>
    <message>
        <source>voice profile incompatible with current model/codec: {differences}</source>
        <translation>音色文件与当前模型或编解码器不兼容：{differences}</translation>
    </message>
    <message>
        <source>Make the voice again with this model, from its recording.</source>
        <translation>请用此模型根据原录音重新制作该音色。</translation>
    </message>
    <message>
        <source>voice profile has no transcript</source>
        <translation>音色文件没有文字稿</translation>
    </message>
    <message>
        <source>Make the voice again, with its transcript.</source>
        <translation>请连同文字稿重新制作该音色。</translation>
    </message>
    <message>
        <source>voice profile contains out-of-range codes: {code} in codebook {row}, whose limit in this model is {last}</source>
        <translation>音色文件含有超出范围的编码：码本 {row} 中的 {code}，本模型的上限为 {last}</translation>
    </message>
    <message>
        <source>a voice needs a name with something in it that can be seen</source>
        <translation>音色需要一个看得见的名称</translation>
    </message>
    <message>
        <source>Type one.</source>
        <translation>请输入一个名称。</translation>
    </message>
    <message>
        <source>the clip {name} of this voice is not beside it any more</source>
        <translation>此音色的片段 {name} 已不在它旁边</translation>
    </message>
    <message>
        <source>Open a recording of the same speaker and save it under the same name.</source>
        <translation>请打开同一说话人的录音，并以相同名称保存。</translation>
    </message>
    <message>
        <source>the file of the clip {name} holds another sound than the voice was made of</source>
        <translation>片段 {name} 的文件中是另一段声音，并非制作此音色所用的声音</translation>
    </message>
    <message>
        <source>Put the old file back, or open a recording and save it under the same name.</source>
        <translation>请放回原来的文件，或打开一段录音并以相同名称保存。</translation>
    </message>
    <message>
        <source>nothing was kept of what the voice {name} was made of</source>
        <translation>没有保留制作音色 {name} 所用的片段</translation>
    </message>
    <message>
        <source>it is no PNG, JPEG or WebP picture of at most 4 MB</source>
        <translation>它不是 4 MB 以内的 PNG、JPEG 或 WebP 图片</translation>
    </message>
    <message>
        <source>Make it anew above the voices, or choose another voice.</source>
        <translation>请在音色列表上方重新制作，或选择其他音色。</translation>
    </message>
    <message>
        <source>no clip is open</source>
        <translation>没有打开的片段</translation>
    </message>
    <message>
        <source>This installation of the program cannot transcribe.</source>
        <translation>此安装的程序不能转写。</translation>
    </message>
    <message>
        <source>This build was made without it; the full build has it. Typing the transcript works too.</source>
        <translation>此版本不含转写功能；完整版本有。也可以手动输入文字稿。</translation>
    </message>
    <message>
        <source>The packaged program can, and README says how to add the part “transcribe” to this one. Typing the transcript works too.</source>
        <translation>打包的程序可以转写；README 说明了如何为此安装添加“transcribe”组件。也可以手动输入文字稿。</translation>
    </message>
    <message>
        <source>Shorten the text or the clip of the voice.</source>
        <translation>请缩短文本或音色的片段。</translation>
    </message>
    <message>
        <source>Close other programs, shorten the text or the clip of the voice, or use a smaller model file.</source>
        <translation>请关闭其他程序、缩短文本或音色的片段，或使用更小的模型文件。</translation>
    </message>
    <message>
        <source>Another is as good; the earlier one is taken.</source>
        <translation>另一个同样好；选用较早的一个。</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>请选择其他文件。</translation>
    </message>
    <message>
        <source>The clip cannot be used</source>
        <translation>无法使用此片段</translation>
    </message>
    <message>
        <source>Accepted kinds: WAV, FLAC, Ogg Vorbis, Opus, MP3, AIFF, M4A, AAC and the sound of MP4, MOV and WebM videos. Convert the clip to one of them.</source>
        <translation>可接受的种类：WAV、FLAC、Ogg Vorbis、Opus、MP3、AIFF、M4A、AAC，以及 MP4、MOV 和 WebM 视频中的声音。请把片段转换为其中之一。</translation>
    </message>
    <message>
        <source>{label} is {what}; the optional part that reads it is not installed</source>
        <translation>{label} 是 {what}；读取它的可选组件未安装</translation>
    </message>
    <message>
        <source>Install it with: {python} -m pip install av. Or convert the clip to WAV.</source>
        <translation>安装方法：{python} -m pip install av。也可以把片段转换为 WAV。</translation>
    </message>
    <message>
        <source>This build of the program was made without it. Convert the clip to WAV, FLAC or MP3, or get the full build.</source>
        <translation>此版本的程序不含它。请把片段转换为 WAV、FLAC 或 MP3，或获取完整版本。</translation>
    </message>
    <message>
        <source>{label} is a video without sound</source>
        <translation>{label} 是没有声音的视频</translation>
    </message>
    <message>
        <source>{label} has {tracks} sound tracks; the first one is used</source>
        <translation>{label} 有 {tracks} 条音轨；使用第一条</translation>
    </message>
    <message>
        <source>the clip is empty</source>
        <translation>片段是空的</translation>
    </message>
    <message>
        <source>the clip has samples that are not finite numbers</source>
        <translation>片段中含有非有限数值的采样</translation>
    </message>
    <message>
        <source>the clip is {seconds:.1f} s long; {low:.0f} to {high:.0f} s clone best</source>
        <translation>片段长 {seconds:.1f} 秒；{low:.0f} 到 {high:.0f} 秒克隆效果最好</translation>
    </message>
    <message>
        <source>Shorten the text, or use fewer or shorter voices.</source>
        <translation>请缩短文本，或使用更少或更短的音色。</translation>
    </message>
    <message>
        <source>Shorten the text or the clip of the voice, or speak it sentence by sentence.</source>
        <translation>请缩短文本或音色的片段，或逐句朗读。</translation>
    </message>
    <message>
        <source>voice profile already exists: {name}</source>
        <translation>音色文件已存在：{name}</translation>
    </message>
    <message>
        <source>Choose another name, or allow overwriting.</source>
        <translation>请换一个名称，或允许覆盖。</translation>
    </message>
    <message>
        <source>the voice of this take is one of a server</source>
        <translation>此语音使用的是服务器的音色</translation>
    </message>
    <message>
        <source>Connect to the server in the engine panel, or choose another voice.</source>
        <translation>请在引擎面板中连接服务器，或选择其他音色。</translation>
    </message>
    <message>
        <source>the voice {voice} of this take is not in the library</source>
        <translation>该语音的音色 {voice} 不在音色库中</translation>
    </message>
    <message>
        <source>Import it, or put the settings back and choose another.</source>
        <translation>请导入它，或还原设置后另选一个。</translation>
    </message>
    <message>
        <source>{name} is a link</source>
        <translation>{name} 是链接</translation>
    </message>
    <message>
        <source>no voice named {voice_id}</source>
        <translation>没有名为 {voice_id} 的音色</translation>
    </message>
    <message>
        <source>It may have been deleted elsewhere.</source>
        <translation>它可能已在别处被删除。</translation>
    </message>
    <message>
        <source>the voice {voice_id} was saved, but not its notes ({reason})</source>
        <translation>音色 {voice_id} 已保存，但其备注未保存（{reason}）</translation>
    </message>
    <message>
        <source>{name} is taken by another voice</source>
        <translation>{name} 已被另一个音色占用</translation>
    </message>
    <message>
        <source>Rename that one, then undo again.</source>
        <translation>请重命名那个音色，然后再次撤销。</translation>
    </message>
    <message>
        <source>{voice_id} is not in the trash any more</source>
        <translation>{voice_id} 已不在回收站中</translation>
    </message>
    <message>
        <source>It was emptied meanwhile.</source>
        <translation>回收站已被清空。</translation>
    </message>
    <message>
        <source>{name} could not be moved to the trash</source>
        <translation>无法将 {name} 移到回收站</translation>
    </message>
    <message>
        <source>Open the voices folder and delete it there.</source>
        <translation>请打开音色文件夹，在那里删除。</translation>
    </message>
    <message>
        <source>{name} could not be taken back ({reason})</source>
        <translation>无法取回 {name}（{reason}）</translation>
    </message>
    <message>
        <source>Look for it in the trash.</source>
        <translation>请在回收站中查找。</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>它不是普通文件</translation>
    </message>
    <message>
        <source>The folder {folder} holds no voices.</source>
        <translation>文件夹 {folder} 中没有音色。</translation>
    </message>
    <message>
        <source>Voices here: {names}.</source>
        <translation>这里的音色：{names}。</translation>
    </message>
    <message>
        <source>the voice profile has {extra} unknown bytes at its end</source>
        <translation>音色文件末尾有 {extra} 个未知字节</translation>
    </message>
    <message>
        <source>the voice {voice_id} was made for a model with another codec</source>
        <translation>音色 {voice_id} 是为使用另一种编解码器的模型制作的</translation>
    </message>
    <message>
        <source>The voice is made of {used} of its {clips} clips, the best of them: with this model a voice may have {limit:.0f} s.</source>
        <translation>此音色由其 {clips} 个片段中最好的 {used} 个制成：用此模型时，一个音色最多可用 {limit:.0f} 秒。</translation>
    </message>
    <message>
        <source>{name} is no voice bundle, or a damaged one</source>
        <translation>{name} 不是音色包，或已损坏</translation>
    </message>
    <message>
        <source>{name} does not say what it holds</source>
        <translation>{name} 没有说明其内容</translation>
    </message>
    <message>
        <source>{name} was written by a newer version of the program</source>
        <translation>{name} 由更新版本的程序写成</translation>
    </message>
    <message>
        <source>{name} holds files that do not belong into a voice bundle</source>
        <translation>{name} 含有不属于音色包的文件</translation>
    </message>
    <message>
        <source>{name} holds more than a voice bundle may</source>
        <translation>{name} 的内容超出了音色包的限度</translation>
    </message>
    <message>
        <source>the content of {name} is not what its list says</source>
        <translation>{name} 的内容与其清单不符</translation>
    </message>
    <message>
        <source>Have it exported again; nothing of it was kept.</source>
        <translation>请重新导出；其中没有任何内容被保留。</translation>
    </message>
    <message>
        <source>transcript not null-terminated</source>
        <translation>文字稿没有以零结尾</translation>
    </message>
    <message>
        <source>invalid voice profile transcript</source>
        <translation>音色文件的文字稿无效</translation>
    </message>
    <message>
        <source>truncated voice profile</source>
        <translation>音色文件被截断</translation>
    </message>
    <message>
        <source>invalid voice profile magic</source>
        <translation>音色文件的标识无效</translation>
    </message>
    <message>
        <source>unsupported voice profile version</source>
        <translation>不支持的音色文件版本</translation>
    </message>
    <message>
        <source>invalid voice profile transcript length</source>
        <translation>音色文件的文字稿长度无效</translation>
    </message>
    <message>
        <source>voice profile too large</source>
        <translation>音色文件太大</translation>
    </message>
    <message>
        <source>invalid voice profile codes size</source>
        <translation>音色文件的编码大小无效</translation>
    </message>
    <message>
        <source>invalid voice profile header</source>
        <translation>音色文件的文件头无效</translation>
    </message>
    <message>
        <source>voice profile codes do not match its header</source>
        <translation>音色文件的编码与文件头不符</translation>
    </message>
    <message>
        <source>voice profile contains out-of-range codes</source>
        <translation>音色文件含有超出范围的编码</translation>
    </message>
    <message>
        <source>{kind}: {reason}</source>
        <translation>{kind}：{reason}</translation>
    </message>
    <message>
        <source>This is a fault of the program. Please report it with the details.</source>
        <translation>这是程序的错误。请附上详细信息报告。</translation>
    </message>
    <message>
        <source>{reason}</source>
        <translation>{reason}</translation>
    </message>
    <message>
        <source>Please report this fault of the program.</source>
        <translation>请报告这个程序错误。</translation>
    </message>
    <message>
        <source>The sound output “{title}” could not be opened ({reason}). Choose another one; saving works without.</source>
        <translation>无法打开声音输出“{title}”（{reason}）。请另选一个；不打开也能保存。</translation>
    </message>
    <message>
        <source>Sound output needs the Python package sounddevice, which is not installed.</source>
        <translation>声音输出需要 Python 包 sounddevice，但尚未安装。</translation>
    </message>
    <message>
        <source>The sound library PortAudio was not found. On Debian or Ubuntu install the package libportaudio2, then start again.</source>
        <translation>未找到声音库 PortAudio。在 Debian 或 Ubuntu 上请安装软件包 libportaudio2，然后重新启动。</translation>
    </message>
    <message>
        <source>The sound devices cannot be listed ({reason}).</source>
        <translation>无法列出声音设备（{reason}）。</translation>
    </message>
    <message>
        <source>The microphone “{title}” could not be opened ({reason}). Close programs that use it, choose another one, or open a sound file.</source>
        <translation>无法打开麦克风“{title}”（{reason}）。请关闭占用它的程序，另选一个，或打开声音文件。</translation>
    </message>
    <message>
        <source>No sound output was found. Connect one and choose Rescan; saving works without.</source>
        <translation>未找到声音输出设备。请连接后重新扫描；没有它也可以保存。</translation>
    </message>
    <message>
        <source>No microphone was found. Connect one and choose Rescan, or open a sound file.</source>
        <translation>未找到麦克风。请连接后重新扫描，或打开声音文件。</translation>
    </message>
    <message>
        <source>{name} holds only digital silence</source>
        <translation>{name} 只有数字静音</translation>
    </message>
    <message>
        <source>The microphone was muted, or the export went wrong. Choose another clip.</source>
        <translation>麦克风被静音，或导出有误。请选择其他片段。</translation>
    </message>
    <message>
        <source>Record or open one, or choose another voice of the server.</source>
        <translation>请录制或打开一个，或选择服务器的其他音色。</translation>
    </message>
    <message>
        <source>the folder {name} holds no transcription model: {missing} missing</source>
        <translation>文件夹 {name} 中没有转写模型：缺少 {missing}</translation>
    </message>
    <message>
        <source>Choose the folder of a faster-whisper model, which holds model.bin, config.json and tokenizer.json. Typing the transcript works too.</source>
        <translation>请选择 faster-whisper 模型的文件夹，其中有 model.bin、config.json 和 tokenizer.json。也可以手动输入文字稿。</translation>
    </message>
    <message>
        <source>the clip is {seconds:.0f} s long; at most {limit:.0f} s can be transcribed</source>
        <translation>片段时长 {seconds:.0f} 秒；最多可转写 {limit:.0f} 秒</translation>
    </message>
    <message>
        <source>Trim it first.</source>
        <translation>请先裁剪。</translation>
    </message>
    <message>
        <source>Install it with: {command}</source>
        <translation>安装命令：{command}</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model.</source>
        <translation>请关闭其他程序，或选择更小的模型。</translation>
    </message>
    <message>
        <source>Choose the language of the model, or a multilingual model.</source>
        <translation>请选择模型的语言，或选择多语言模型。</translation>
    </message>
    <message>
        <source>Try again, or type the transcript.</source>
        <translation>请重试，或手动输入文字稿。</translation>
    </message>
    <message>
        <source>its answer makes no sense</source>
        <translation>其应答无法理解</translation>
    </message>
    <message>
        <source>no speech was found in the clip</source>
        <translation>片段中没有找到语音</translation>
    </message>
    <message>
        <source>the transcription ended unexpectedly (code {exit}){reason}</source>
        <translation>转写意外结束（代码 {exit}）{reason}</translation>
    </message>
    <message>
        <source>the transcription cannot start: {reason}</source>
        <translation>无法启动转写：{reason}</translation>
    </message>
    <message>
        <source>Transcription needs the optional part faster-whisper.</source>
        <translation>转写需要可选组件 faster-whisper。</translation>
    </message>
    <message>
        <source>Choose the folder of a faster-whisper model, which holds model.bin, config.json and tokenizer.json, such as Systran/faster-whisper-base from huggingface.co. Typing the transcript works too.</source>
        <translation>请选择 faster-whisper 模型的文件夹，其中包含 model.bin、config.json 和 tokenizer.json，例如 huggingface.co 上的 Systran/faster-whisper-base。也可以直接输入文本。</translation>
    </message>
    <message>
        <source>No transcription model was chosen yet.</source>
        <translation>尚未选择转写模型。</translation>
    </message>
    <message>
        <source>stopped by the user</source>
        <translation>已由用户停止</translation>
    </message>
    <message>
        <source>the engine is busy with another job</source>
        <translation>引擎正忙于其他任务</translation>
    </message>
    <message>
        <source>Wait for it or stop it first.</source>
        <translation>请等待其完成，或先将其停止。</translation>
    </message>
    <message>
        <source>Give the server&apos;s API key, or correct it.</source>
        <translation>请填写或更正服务器的 API 密钥。</translation>
    </message>
    <message>
        <source>Ask whoever runs the server to allow it.</source>
        <translation>请联系服务器管理者授权。</translation>
    </message>
    <message>
        <source>Check the address, the kind of server and the names of model and voice.</source>
        <translation>请检查地址、服务器类型以及模型和音色的名称。</translation>
    </message>
    <message>
        <source>Change what it names, then try again.</source>
        <translation>请修改它指出的内容后重试。</translation>
    </message>
    <message>
        <source>The machine behind it does not answer. Try again later.</source>
        <translation>其后端没有响应。请稍后再试。</translation>
    </message>
    <message>
        <source>Look at the server&apos;s log, then try again.</source>
        <translation>请查看服务器日志后重试。</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>Try again in {seconds} s.</source>
        <translation>请在 {seconds} 秒后重试。</translation>
    </message>
    <message>
        <source>The file is damaged or no voice profile; make the voice again from its recording.</source>
        <translation>文件已损坏或不是音色文件；请用其录音重新制作音色。</translation>
    </message>
    <message>
        <source>The file is damaged or no voice profile; make the voice again from its recording. File: {source}</source>
        <translation>文件已损坏或不是音色文件；请用其录音重新制作音色。文件：{source}</translation>
    </message>
    <message>
        <source>Use fewer --gpu-layers, --codec-cpu, a smaller model file, or --device cpu.</source>
        <translation>请减少 GPU 层数、让编解码器使用 CPU、换用更小的模型文件，或改用 CPU。</translation>
    </message>
    <message>
        <source>Try fewer --gpu-layers or --device cpu.</source>
        <translation>请减少 --gpu-layers 或使用 --device cpu。</translation>
    </message>
    <message>
        <source>Generate it again, or delete it from the list.</source>
        <translation>请重新生成，或从列表中删除。</translation>
    </message>
    <message>
        <source>{step} {kept}</source>
        <translation>{step}{kept}</translation>
    </message>
    <message>
        <source>The audio is still in memory.</source>
        <translation>音频仍在内存中。</translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation>加载模型</translation>
    </message>
    <message>
        <source>the sound was resampled from {rate} to {target} Hz for {format}</source>
        <translation>声音已从 {rate} Hz 重采样为 {target} Hz，用于 {format}</translation>
    </message>
    <message>
        <source>{format} has no room for such a long text; the take is not in it</source>
        <translation>{format} 容不下这么长的文本；语音信息不在其中</translation>
    </message>
    <message>
        <source>the codes are not in the file: {reason}</source>
        <translation>文件中没有编码：{reason}</translation>
    </message>
    <message>
        <source>{format} has no room for so many codes; they are not in the file</source>
        <translation>{format} 容不下这么多编码；它们不在文件中</translation>
    </message>
    <message>
        <source>{tag} is no speaker tag and is read out as it stands; write &lt;|speaker:0|&gt;</source>
        <translation>{tag} 不是说话人标签，会被照样读出；请写 &lt;|speaker:0|&gt;</translation>
    </message>
    <message>
        <source>&lt;|speaker:{number}|&gt; has no voice: the model makes one up</source>
        <translation>&lt;|speaker:{number}|&gt; 没有音色：由模型自行决定</translation>
    </message>
    <message>
        <source>Record a longer clip.</source>
        <translation>请录制更长的片段。</translation>
    </message>
    <message>
        <source>Trim it to 30 s or less.</source>
        <translation>请修剪到 30 秒以内。</translation>
    </message>
    <message>
        <source>The clip is {seconds:.1f} s long.</source>
        <translation>片段时长 {seconds:.1f} 秒。</translation>
    </message>
    <message>
        <source>Nothing is clipped.</source>
        <translation>没有削波。</translation>
    </message>
    <message>
        <source>The clip is clipped in {count} place.</source>
        <translation>片段有 {count} 处削波。</translation>
    </message>
    <message>
        <source>The clip is clipped in {count} places.</source>
        <translation>片段有 {count} 处削波。</translation>
    </message>
    <message>
        <source>Lower the input gain and record again.</source>
        <translation>请降低输入增益后重新录制。</translation>
    </message>
    <message>
        <source>Apply a gain of {gain:+.1f} dB.</source>
        <translation>请施加 {gain:+.1f} dB 增益。</translation>
    </message>
    <message>
        <source>Apply a gain of {gain:+.1f} dB, or record with less input gain.</source>
        <translation>请施加 {gain:+.1f} dB 增益，或降低输入增益重新录制。</translation>
    </message>
    <message>
        <source>Apply a gain of {gain:+.1f} dB. Better: move closer to the microphone and record again.</source>
        <translation>请施加 {gain:+.1f} dB 增益。最好靠近麦克风重新录制。</translation>
    </message>
    <message>
        <source>The speech is at {level:.0f} dBFS.</source>
        <translation>语音电平为 {level:.0f} dBFS。</translation>
    </message>
    <message>
        <source>Record in a quieter room, with short pauses and without music or echo.</source>
        <translation>请在更安静的房间录制，留短暂停顿，避免音乐和回声。</translation>
    </message>
    <message>
        <source>The background is {distance:.0f} dB below the speech.</source>
        <translation>背景噪声比语音低 {distance:.0f} dB。</translation>
    </message>
    <message>
        <source>There are {before:.1f} s of silence before and {after:.1f} s after the speech.</source>
        <translation>语音之前有 {before:.1f} 秒静音，之后有 {after:.1f} 秒。</translation>
    </message>
    <message>
        <source>Trim to {first:.2f} - {last:.2f} s.</source>
        <translation>请修剪为 {first:.2f} - {last:.2f} 秒。</translation>
    </message>
    <message>
        <source>The clip ends in a pause.</source>
        <translation>片段在停顿处结束。</translation>
    </message>
    <message>
        <source>Let the recording run for a moment after the last word.</source>
        <translation>说完最后一个词后请再录一小会儿。</translation>
    </message>
    <message>
        <source>Cut the clip in the pause at {at:.2f} s, and its transcript with it.</source>
        <translation>请在 {at:.2f} 秒的停顿处剪断片段，并相应删减文字。</translation>
    </message>
    <message>
        <source>The clip seems to stop inside a word.</source>
        <translation>片段似乎在一个词的中间结束。</translation>
    </message>
    <message>
        <source>The microphone is muted or this program may not use it; check and record again.</source>
        <translation>麦克风被静音，或本程序无权使用；请检查后重新录制。</translation>
    </message>
    <message>
        <source>The clip holds only zeros.</source>
        <translation>片段中全是零值。</translation>
    </message>
    <message>
        <source>{percent:.0f} % of the clip is digital silence.</source>
        <translation>片段的 {percent:.0f} % 是数字静音。</translation>
    </message>
    <message>
        <source>Trim it; if it has gaps, record again without a noise gate.</source>
        <translation>请修剪；若中间有空缺，请关闭噪声门重新录制。</translation>
    </message>
    <message>
        <source>The clip is mono.</source>
        <translation>片段为单声道。</translation>
    </message>
    <message>
        <source>The {channels} channels fit together.</source>
        <translation>{channels} 个声道相互一致。</translation>
    </message>
    <message>
        <source>The channels work against each other (correlation {correlation:.2f}).</source>
        <translation>声道互相抵消（相关系数 {correlation:.2f}）。</translation>
    </message>
    <message>
        <source>Record in mono, or keep only the better channel.</source>
        <translation>请用单声道录制，或只保留较好的声道。</translation>
    </message>
    <message>
        <source>One channel is turned over when the clip is used. Better: record in mono.</source>
        <translation>使用片段时会反转其中一个声道。最好用单声道录制。</translation>
    </message>
    <message>
        <source>Use a recording of better quality, not from a telephone.</source>
        <translation>请使用质量更好的录音，不要用电话录音。</translation>
    </message>
    <message>
        <source>The sound reaches up to {top:.1f} kHz.</source>
        <translation>声音频率最高到 {top:.1f} kHz。</translation>
    </message>
    <message>
        <source>Type or transcribe every word that is said in the clip.</source>
        <translation>请输入或转写片段中说的每一个字。</translation>
    </message>
    <message>
        <source>The transcript is missing.</source>
        <translation>缺少文字稿。</translation>
    </message>
    <message>
        <source>Every word of the transcript is heard in the clip.</source>
        <translation>片段中能听到文字稿的每一个词。</translation>
    </message>
    <message>
        <source>Words that differ from what is heard: {count}, such as {which}.</source>
        <translation>与听到的不同的词：{count} 个，例如 {which}。</translation>
    </message>
    <message>
        <source>Play the clip and compare each word; names may be misheard.</source>
        <translation>请播放片段并逐词核对；人名可能被听错。</translation>
    </message>
    <message>
        <source>The transcript makes {pace:.0f} characters a second of speech.</source>
        <translation>文字稿相当于每秒 {pace:.0f} 个字符。</translation>
    </message>
    <message>
        <source>It seems to cover only a part of the clip: complete it, or trim the clip.</source>
        <translation>文字似乎只涵盖片段的一部分：请补全文字，或修剪片段。</translation>
    </message>
    <message>
        <source>It holds more than can be said in the clip: shorten it, or use the whole clip.</source>
        <translation>文字比片段中能说的更多：请缩短文字，或使用整个片段。</translation>
    </message>
    <message>
        <source>Its length is closest to that of the others.</source>
        <translation>它的长度与其他各条最接近。</translation>
    </message>
    <message>
        <source>It passes more of the checks.</source>
        <translation>它通过的检查更多。</translation>
    </message>
    <message>
        <source>It is the only one.</source>
        <translation>只有这一条。</translation>
    </message>
    <message>
        <source>It has the fewest word errors, {errors:.1f} %.</source>
        <translation>它的错词最少，{errors:.1f} %。</translation>
    </message>
    <message>
        <source>Speak it again from {at}.</source>
        <translation>从 {at} 起重新朗读。</translation>
    </message>
    <message>
        <source>Take another reading.</source>
        <translation>换一次录制。</translation>
    </message>
    <message>
        <source>{count} bursts of noise, the first at {at}.</source>
        <translation>有 {count} 处噪声，第一处在 {at}。</translation>
    </message>
    <message>
        <source>The sound stops in the middle of a word.</source>
        <translation>声音在词中间中断。</translation>
    </message>
    <message>
        <source>The model ended it by itself.</source>
        <translation>模型自行结束。</translation>
    </message>
    <message>
        <source>The end fades out.</source>
        <translation>结尾自然消失。</translation>
    </message>
    <message>
        <source>Go on from where it stopped.</source>
        <translation>从停止处继续。</translation>
    </message>
    <message>
        <source>{seconds:.1f} s of silence at {at}, more than the text explains.</source>
        <translation>{at} 处静音 {seconds:.1f} 秒，超出文本所需。</translation>
    </message>
    <message>
        <source>The level holds.</source>
        <translation>音量保持稳定。</translation>
    </message>
    <message>
        <source>The limit of frames was reached before the end.</source>
        <translation>在结束前达到了帧数上限。</translation>
    </message>
    <message>
        <source>It repeats itself for {seconds:.1f} s from {at}.</source>
        <translation>从 {at} 起重复了 {seconds:.1f} 秒。</translation>
    </message>
    <message>
        <source>No bursts of noise.</source>
        <translation>没有突发噪声。</translation>
    </message>
    <message>
        <source>The longest silence inside is {seconds:.1f} s.</source>
        <translation>中间最长的静音为 {seconds:.1f} 秒。</translation>
    </message>
    <message>
        <source>Nothing repeats itself.</source>
        <translation>没有重复。</translation>
    </message>
    <message>
        <source>{pace:.1f} letters a second.</source>
        <translation>每秒 {pace:.1f} 个字母。</translation>
    </message>
    <message>
        <source>Raise the limit of frames, or speak a shorter text.</source>
        <translation>提高帧数上限，或朗读较短的文本。</translation>
    </message>
    <message>
        <source>Speak the text in shorter parts.</source>
        <translation>分成较短的部分朗读。</translation>
    </message>
    <message>
        <source>The level falls by {fall:.1f} dB, {slope:.1f} dB a minute.</source>
        <translation>音量下降 {fall:.1f} dB，每分钟 {slope:.1f} dB。</translation>
    </message>
    <message>
        <source>It was stopped before the end.</source>
        <translation>在结束前被停止。</translation>
    </message>
    <message>
        <source>One sound is held for {seconds:.1f} s from {at}.</source>
        <translation>从 {at} 起同一个音持续了 {seconds:.1f} 秒。</translation>
    </message>
    <message>
        <source>Much longer than the text: words may be repeated or added. Take another reading.</source>
        <translation>比文本长得多：可能有重复或多余的词。换一次录制。</translation>
    </message>
    <message>
        <source>Much shorter than the text: words may be lost. Take another reading.</source>
        <translation>比文本短得多：可能丢了词。换一次录制。</translation>
    </message>
    <message>
        <source>Too short to tell whether the level sinks.</source>
        <translation>太短，无法判断音量是否下降。</translation>
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
        <source>Export {count} takes</source>
        <translation>导出 {count} 条语音</translation>
    </message>
    <message>
        <source>{count} takes were saved.</source>
        <translation>已保存 {count} 条语音。</translation>
    </message>
    <message>
        <source>{count} could not be: {reason}</source>
        <translation>{count} 条未能保存：{reason}</translation>
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
    <name>FitAdvisor</name>
    <message>
        <source>about {n}× slower than speech</source>
        <translation>约比说话慢 {n} 倍</translation>
    </message>
    <message>
        <source>about as fast as speech</source>
        <translation>约与说话一样快</translation>
    </message>
    <message>
        <source>about {n}× faster than speech</source>
        <translation>约比说话快 {n} 倍</translation>
    </message>
    <message>
        <source>Measuring for a few seconds…</source>
        <translation>正在测量，需几秒钟…</translation>
    </message>
    <message>
        <source>On {device} the speed is not guessed.</source>
        <translation>在 {device} 上不估计速度。</translation>
    </message>
    <message>
        <source>How fast would each of them speak here?</source>
        <translation>它们在本机上会说得多快？</translation>
    </message>
    <message>
        <source>None of them fits the memory that is free.</source>
        <translation>空闲内存容不下其中任何一个。</translation>
    </message>
    <message>
        <source>Recommended here: {title}, {speed}.</source>
        <translation>本机推荐：{title}，{speed}。</translation>
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
    <name>Lanes</name>
    <message>
        <source>Takes of one press</source>
        <translation>一次生成的语音</translation>
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
        <source>Measure this computer</source>
        <translation>测量本机</translation>
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
        <source>A further clip of the same speaker can make the voice more like them.</source>
        <translation>同一说话人的更多片段可使音色更像本人。</translation>
    </message>
    <message>
        <source>Save as “{name}”</source>
        <translation>存为“{name}”</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Add the clip to it</source>
        <translation>把片段加入其中</translation>
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
    <name>PictureSaver</name>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Pictures (*.png);;Drawings for any size (*.svg)</source>
        <translation>图片 (*.png);;可缩放的矢量图 (*.svg)</translation>
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
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>How the processor reads a voice and a text: fast rounds to 8 bits on the way, so the speech differs a little from the exact one&apos;s.</source>
        <translation>处理器读取声音和文本的方式：“快速”在途中舍入到 8 位，因此语音与“精确”略有不同。</translation>
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
    <name>PronunciationsDialog</name>
    <message>
        <source>Pronunciations</source>
        <translation>发音</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>写作</translation>
    </message>
    <message>
        <source>Spoken</source>
        <translation>读作</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Listen</source>
        <translation>试听</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Whole words only; the script stays as it is. A word with a capital letter counts only as it is written, one without in any case.</source>
        <translation>仅替换完整的词，文稿本身不变。含大写字母的词只在写法完全一致时生效，全小写的词不区分大小写。</translation>
    </message>
    <message>
        <source>A line is not whole yet.</source>
        <translation>有一行尚未填写完整。</translation>
    </message>
    <message>
        <source>The script has none of these words.</source>
        <translation>文稿中没有这些词。</translation>
    </message>
    <message>
        <source>In the script: {words}</source>
        <translation>文稿中：{words}</translation>
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
        <source>words −{0} %</source>
        <translation>词 −{0} %</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
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
    <name>QueueButton</name>
    <message>
        <source>Takes that are made as soon as the engine is free</source>
        <translation>引擎空闲后即生成的语音</translation>
    </message>
    <message>
        <source>Waiting: {count}</source>
        <translation>等待中：{count}</translation>
    </message>
    <message>
        <source>Cancel all</source>
        <translation>全部取消</translation>
    </message>
    <message>
        <source>Cancel: {text}</source>
        <translation>取消：{text}</translation>
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
    <name>RecogniserDialog</name>
    <message>
        <source>Transcription</source>
        <translation>转写</translation>
    </message>
    <message>
        <source>Get the model that writes down what is said</source>
        <translation>获取用于转写的模型</translation>
    </message>
    <message>
        <source>{title} writes down clips in 99 languages on this computer; nothing is sent anywhere.</source>
        <translation>{title} 在本机上转写 99 种语言的片段；不会发送任何内容。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>{size:.0f} MB</source>
        <translation>{size:.0f} MB</translation>
    </message>
    <message>
        <source>License</source>
        <translation>许可证</translation>
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
        <source>About the model</source>
        <translation>关于此模型</translation>
    </message>
    <message>
        <source>Fetching the model</source>
        <translation>正在获取模型</translation>
    </message>
    <message>
        <source>Download {size:.0f} MB</source>
        <translation>下载 {size:.0f} MB</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>I have one…</source>
        <translation>我已有模型…</translation>
    </message>
    <message>
        <source>Choose the folder of a faster-whisper model</source>
        <translation>选择 faster-whisper 模型的文件夹</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{done:.0f} of {total:.0f} MB</source>
        <translation>{total:.0f} MB 中的 {done:.0f} MB</translation>
    </message>
    <message>
        <source>{speed:.1f} MB/s</source>
        <translation>{speed:.1f} MB/s</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
    </message>
</context>
<context>
    <name>RecogniserFetch</name>
    <message>
        <source>Stopped. What was fetched is kept for the next time.</source>
        <translation>已停止。已获取的部分会保留到下次。</translation>
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
        <source>New voice</source>
        <translation>新音色</translation>
    </message>
    <message>
        <source>What the microphone gives</source>
        <translation>麦克风的状态</translation>
    </message>
    <message>
        <source>Show the clip</source>
        <translation>显示片段</translation>
    </message>
    <message>
        <source>Fold the clip away</source>
        <translation>收起片段</translation>
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
        <source>Show the clip in a wide window</source>
        <translation>在宽窗口中显示片段</translation>
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
    <name>RemakeStrip</name>
    <message>
        <source>Voices for another model</source>
        <translation>其他模型的音色</translation>
    </message>
    <message>
        <source>Make anew</source>
        <translation>重新制作</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Making voices anew</source>
        <translation>正在重新制作音色</translation>
    </message>
    <message>
        <source>1 voice can be made anew for this model.</source>
        <translation>有 1 个音色可为此模型重新制作。</translation>
    </message>
    <message>
        <source>{count} voices can be made anew for this model.</source>
        <translation>有 {count} 个音色可为此模型重新制作。</translation>
    </message>
    <message>
        <source>1 voice for another model has no clip.</source>
        <translation>有 1 个其他模型的音色没有片段。</translation>
    </message>
    <message>
        <source>{count} voices for another model have no clip.</source>
        <translation>有 {count} 个其他模型的音色没有片段。</translation>
    </message>
    <message>
        <source>Open a recording of the same speaker and save it under the same name.</source>
        <translation>请打开同一说话人的录音，并以相同名称保存。</translation>
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
        <source>the open clip</source>
        <translation>打开的片段</translation>
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
    <message>
        <source>Play from here (Ctrl+click)</source>
        <translation>从这里播放（Ctrl+单击）</translation>
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
        <source>Open a model first: Ctrl+O</source>
        <translation>请先打开模型：Ctrl+O</translation>
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
    <name>SelectionMenu</name>
    <message>
        <source>Play the selection</source>
        <translation>播放选区</translation>
    </message>
    <message>
        <source>Save the selection…</source>
        <translation>保存选区…</translation>
    </message>
    <message>
        <source>Make a voice of the selection</source>
        <translation>用选区制作音色</translation>
    </message>
    <message>
        <source>WAV files, 24 bit (*.wav)</source>
        <translation>WAV 文件，24 位 (*.wav)</translation>
    </message>
    <message>
        <source>FLAC files (*.flac)</source>
        <translation>FLAC 文件 (*.flac)</translation>
    </message>
    <message>
        <source>Save the selection</source>
        <translation>保存选区</translation>
    </message>
    <message>
        <source>Saved as {name}.</source>
        <translation>已保存为 {name}。</translation>
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
        <source>{done} of {count} takes · {frames} frames</source>
        <translation>{count} 条语音已完成 {done} 条 · {frames} 帧</translation>
    </message>
    <message>
        <source>Receiving: {length}</source>
        <translation>正在接收：{length}</translation>
    </message>
    <message>
        <source>Waiting for the server</source>
        <translation>正在等待服务器</translation>
    </message>
    <message>
        <source>Piece {piece} of {pieces} · {percent} %</source>
        <translation>第 {piece} 段，共 {pieces} 段 · {percent} %</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
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
    <message>
        <source>Known voices</source>
        <translation>已读音色</translation>
    </message>
    <message>
        <source>What the model has read of voices is kept: the next start speaks sooner.</source>
        <translation>保留模型对音色的读取结果：下次启动能更快开口。</translation>
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
    <name>Spectrogram</name>
    <message>
        <source>Spectrogram</source>
        <translation>频谱图</translation>
    </message>
    <message>
        <source>Pitch upwards, time to the right, level as colour.</source>
        <translation>向上为音高，向右为时间，颜色为强度。</translation>
    </message>
    <message>
        <source>{seconds:.2f} s, {pitch:.0f} Hz</source>
        <translation>{seconds:.2f} 秒，{pitch:.0f} Hz</translation>
    </message>
</context>
<context>
    <name>SpokenFollower</name>
    <message>
        <source>There is no take of this text yet.</source>
        <translation>这段文本还没有语音。</translation>
    </message>
    <message>
        <source>The text is not the one of this take any more.</source>
        <translation>文本已与这条语音不同。</translation>
    </message>
    <message>
        <source>This has not been spoken yet.</source>
        <translation>这里还没有朗读到。</translation>
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
        <source>{model} was certain of every code: it reads a text one way, whatever the seed. A larger model, or top-p 1 and a temperature near 2, varies.</source>
        <translation>{model} 对每个编码都很确定：无论种子是什么，同一文本只有一种读法。更大的模型，或 top-p 为 1 且温度接近 2 时会有变化。</translation>
    </message>
    <message>
        <source>Stopped in piece {piece} of {pieces}.</source>
        <translation>停在第 {piece} 段，共 {pieces} 段。</translation>
    </message>
    <message>
        <source>Takes that waited were forgotten: {count}.</source>
        <translation>已取消等待中的语音：{count} 条。</translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>放回</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>speaks as soon as the model is ready, Esc forgets it</source>
        <translation>模型就绪后立即朗读，按 Esc 取消</translation>
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
        <source>{tag}, of exact length</source>
        <translation>{tag}，精确时长</translation>
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
        <source>{count} takes, folded</source>
        <translation>{count} 条语音，已折叠</translation>
    </message>
    <message>
        <source>{count} takes, unfolded</source>
        <translation>{count} 条语音，已展开</translation>
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
        <source>Open {model} to go on: another model would speak otherwise.</source>
        <translation>要继续，请打开 {model}：换一个模型会说得不一样。</translation>
    </message>
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
        <source>{count} takes were deleted.</source>
        <translation>已删除 {count} 条语音。</translation>
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
        <source>Search text, voice or seed</source>
        <translation>搜索文本、音色或种子</translation>
    </message>
    <message>
        <source>Search the takes</source>
        <translation>搜索语音</translation>
    </message>
    <message>
        <source>Only takes with a star</source>
        <translation>仅带星标的语音</translation>
    </message>
    <message>
        <source>Any day</source>
        <translation>任何日期</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last 31 days</source>
        <translation>最近 31 天</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the takes</source>
        <translation>筛选语音</translation>
    </message>
    <message>
        <source>Takes · {count}</source>
        <translation>语音 · {count}</translation>
    </message>
    <message>
        <source>Takes · {listed} of {count}</source>
        <translation>语音 · {count} 条中的 {listed} 条</translation>
    </message>
    <message>
        <source>Show all takes of this press</source>
        <translation>显示这一次的全部语音</translation>
    </message>
    <message>
        <source>Fold the takes</source>
        <translation>折叠这些语音</translation>
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
        <source>Clips can be transcribed now.</source>
        <translation>现在可以转写片段了。</translation>
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
    <name>Verdict</name>
    <message>
        <source>no fault found</source>
        <translation>未发现问题</translation>
    </message>
    <message>
        <source>a doubt</source>
        <translation>有疑点</translation>
    </message>
    <message>
        <source>a fault</source>
        <translation>有问题</translation>
    </message>
    <message>
        <source>The words were not checked.</source>
        <translation>未核对文字。</translation>
    </message>
    <message>
        <source>Word errors: {percent} %</source>
        <translation>文字错误：{percent} %</translation>
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
        <source>Such as: family, narrator</source>
        <translation>例如：家人, 旁白</translation>
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
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Clips</source>
        <translation>片段</translation>
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
        <source>None is kept: with another model this voice cannot be made anew.</source>
        <translation>没有保留片段：换用其他模型时，此音色无法重新制作。</translation>
    </message>
    <message>
        <source>Colour of the card</source>
        <translation>卡片颜色</translation>
    </message>
    <message>
        <source>No colour</source>
        <translation>无颜色</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>橙</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>黄</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿</translation>
    </message>
    <message>
        <source>Teal</source>
        <translation>青</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>粉</translation>
    </message>
    <message>
        <source>Picture…</source>
        <translation>图片…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the picture</source>
        <translation>移除图片</translation>
    </message>
    <message>
        <source>Picture ✓</source>
        <translation>图片 ✓</translation>
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
    <name>VoiceMaker</name>
    <message>
        <source>{count} voices were made anew.</source>
        <translation>已重新制作 {count} 个音色。</translation>
    </message>
    <message>
        <source>1 voice was made anew.</source>
        <translation>已重新制作 1 个音色。</translation>
    </message>
    <message>
        <source>The voice is made of these clips now.</source>
        <translation>此音色现在由这些片段制成。</translation>
    </message>
    <message>
        <source>Making {name} anew: {number} of {count}</source>
        <translation>正在重新制作 {name}：第 {number} 个，共 {count} 个</translation>
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
        <source>Voices (*.s2voice *.s2vbundle);;All files (*)</source>
        <translation>音色 (*.s2voice *.s2vbundle);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose a voice: the one that was chosen is gone.</source>
        <translation>请选择音色：原先选择的已不存在。</translation>
    </message>
    <message>
        <source>{name} was made for another model. Make it anew above the voices.</source>
        <translation>{name} 是为其他模型制作的。请在音色列表上方重新制作。</translation>
    </message>
    <message>
        <source>{name} was made for another model, and its clip was not kept. Choose another voice, or open a recording and save it under the same name.</source>
        <translation>{name} 是为其他模型制作的，且未保留其片段。请选择其他音色，或打开一段录音并以相同名称保存。</translation>
    </message>
    <message>
        <source>Import voice</source>
        <translation>导入音色</translation>
    </message>
    <message>
        <source>Voice with clips, notes and picture (*.s2vbundle)</source>
        <translation>音色连同片段、备注和图片 (*.s2vbundle)</translation>
    </message>
    <message>
        <source>Voice for other programs (*.s2voice)</source>
        <translation>供其他程序使用的音色 (*.s2voice)</translation>
    </message>
    <message>
        <source>Export voice</source>
        <translation>导出音色</translation>
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
        <source>Order and choice of the voices</source>
        <translation>音色的排序与筛选</translation>
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
        <source>Only with a star</source>
        <translation>仅显示加星标的</translation>
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
        <source>Take the star away</source>
        <translation>取消星标</translation>
    </message>
    <message>
        <source>Give it a star</source>
        <translation>加星标</translation>
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
    <message>
        <source>Choose a voice</source>
        <translation>请选择音色</translation>
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
        <source>peak {level:.0f} dB · drawn ×{gain:.1f}</source>
        <translation>峰值 {level:.0f} dB · 放大 ×{gain:.1f}</translation>
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
    <name>_Members</name>
    <message>
        <source>Take {number}, seed {seed}, {length}{light}</source>
        <translation>语音 {number}，种子 {seed}，{length}{light}</translation>
    </message>
    <message>
        <source>Click to look at it, Enter plays it.</source>
        <translation>单击查看，按回车播放。</translation>
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
