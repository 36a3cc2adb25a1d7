"""PyInstaller's hook: adds purebleu's data files, and all modules, because purebleu imports them when they are used."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

hiddenimports = collect_submodules("purebleu", filter=lambda name: not name.startswith("purebleu._pyinstaller"))
datas = collect_data_files("purebleu")
