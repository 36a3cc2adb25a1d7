"""PyInstaller: all modules of purebleu, which are imported when they are first used, and its data files."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

hiddenimports = collect_submodules("purebleu", filter=lambda name: not name.startswith("purebleu._pyinstaller"))
datas = collect_data_files("purebleu")
