"""faster-whisper for transcription; its model is the user's."""

from PyInstaller.utils.hooks import collect_data_files

datas = collect_data_files("faster_whisper")
