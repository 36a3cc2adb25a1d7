"""Access to the server: for the browser, or the script, of whoever started it.

Any page in a browser can send requests to this machine, and names of other machines can be made to mean it. So a
request has to name this server as its host, must not come from a page of another one, and has to have a token, unless
it is for the page itself.

The token is in the fragment of the page's address, which browsers send to nobody, and from there in a header. It is in
no cookie: that would be sent to every other server of this machine, too, whatever its port.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: The names of this machine, as the header `Host` has them.
_HOSTS = ("127.0.0.1", "localhost", "[::1]")

#: The number of random bytes in a token.
_TOKEN_BYTES = 24


#: The text before the token in the fragment of the page's address.
_FRAGMENT = "token="


class Access:
    """The conditions that a request has to meet.

    Args:
        token: a secret, of the characters of URL-safe base64.
        ports: the server's own, and that under which it is seen from elsewhere, if there is one.
    """

    def __init__(self, token: str, ports: Sequence[int]) -> None:
        self.token = token
        self._hosts = {f"{host}:{port}" for host in _HOSTS for port in ports}
        if 80 in ports:
            self._hosts.update(_HOSTS)  # browsers leave the usual port out

    def admits_host(self, hosts: Sequence[str]) -> bool:
        """Whether the values of `Host` are one, and name this server."""
        return len(hosts) == 1 and hosts[0].lower() in self._hosts

    def admits_origin(self, origins: Sequence[str]) -> bool:
        """Whether the values of `Origin` are this server's, or there is none, as from scripts and from an address."""
        return all(origin.lower().startswith("http://") and origin.lower()[7:] in self._hosts for origin in origins)

    def admits_token(self, tokens: Sequence[str]) -> bool:
        """Whether one of these is the token."""
        from hmac import compare_digest

        own = self.token.encode("ascii")
        return True in [compare_digest(own, token.encode("utf-8", "surrogateescape")) for token in tokens]

    def proof(self, nonce: str) -> str:
        """The proof for a nonce, which needs knowledge of the token: HMAC with SHA-256, in hexadecimal digits.

        With that, the page finds out that this server is still the one that it came from, and not a program of another
        user that took its port when it had ended: to that, it sends neither text nor the token.
        """
        from hmac import new

        return new(self.token.encode("ascii"), nonce.encode("utf-8", "surrogateescape"), "sha256").hexdigest()


def address_with(token: str, host: str, port: int) -> str:
    """The address under which the page finds its token."""
    return f"http://{host}:{port}/#{_FRAGMENT}{token}"


def new_token() -> str:
    """A token that nobody can guess."""
    from secrets import token_urlsafe

    return token_urlsafe(_TOKEN_BYTES)
