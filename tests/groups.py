"""Processes with all that they start: groups of processes on POSIX, job objects on Windows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Mapping, Sequence

# `start_group`: starts a process in a group of its own; what it prints goes to pipes.
# `end_group`: ends the first process, with Ctrl-C, as a terminal does; on Windows, where that needs a console, at once.
#     Returns the exit code that is to be expected.
# `group_is_alive`: whether there is still a process of the group with the number of this first one.
# `is_alive`: whether there is a process with this number.
# `kill`: kills a process, so that it can do nothing more.

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    #: The number of what a job tells of its processes (`JOBOBJECT_BASIC_ACCOUNTING_INFORMATION`).
    _ACCOUNTING = 1

    class _Accounting(ctypes.Structure):
        _fields_ = [("times", ctypes.c_int64 * 4), ("page_faults", wintypes.DWORD), ("processes", wintypes.DWORD),
                    ("active_processes", wintypes.DWORD), ("terminated_processes", wintypes.DWORD)]

    #: The right to wait for a process (`SYNCHRONIZE`), and the answer where it has not ended (`WAIT_TIMEOUT`).
    _MAY_WAIT = 0x00100000
    _TIMEOUT = 0x102

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.CreateJobObjectW.restype = _kernel.OpenProcess.restype = wintypes.HANDLE
    _kernel.CreateJobObjectW.argtypes = [wintypes.LPVOID, wintypes.LPCWSTR]
    _kernel.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
    _kernel.QueryInformationJobObject.argtypes = [wintypes.HANDLE, ctypes.c_int, wintypes.LPVOID, wintypes.DWORD,
                                                  wintypes.LPVOID]
    _kernel.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
    _kernel.WaitForSingleObject.argtypes = [wintypes.HANDLE, wintypes.DWORD]
    _kernel.CloseHandle.argtypes = [wintypes.HANDLE]

    #: The jobs, by the numbers of their first processes.
    _jobs: dict[int, int] = {}

    def start_group(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        job = _kernel.CreateJobObjectW(None, None)
        if not job or not _kernel.AssignProcessToJobObject(job, int(process._handle)):
            raise ctypes.WinError(ctypes.get_last_error())
        _jobs[process.pid] = job
        return process

    def end_group(process: subprocess.Popen[bytes]) -> int:
        process.terminate()
        return 1

    def group_is_alive(number: int) -> bool:
        accounting = _Accounting()
        size = ctypes.sizeof(accounting)
        if not _kernel.QueryInformationJobObject(_jobs[number], _ACCOUNTING, ctypes.byref(accounting), size, None):
            raise ctypes.WinError(ctypes.get_last_error())
        return bool(accounting.active_processes)

    def is_alive(number: int) -> bool:
        handle = _kernel.OpenProcess(_MAY_WAIT, False, number)
        if not handle:
            return False
        try:
            return bool(_kernel.WaitForSingleObject(handle, 0) == _TIMEOUT)
        finally:
            _kernel.CloseHandle(handle)

    def kill(number: int) -> None:
        os.kill(number, signal.SIGTERM)
else:
    def start_group(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                                start_new_session=True)

    def end_group(process: subprocess.Popen[bytes]) -> int:
        os.killpg(process.pid, signal.SIGINT)
        return 0

    def group_is_alive(number: int) -> bool:
        return is_alive(-number)

    def is_alive(number: int) -> bool:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return False
        return True

    def kill(number: int) -> None:
        os.kill(number, signal.SIGKILL)
