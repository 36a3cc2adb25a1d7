"""Access to the server, which only the user who started it has, with a browser or a script.

Any page in a browser can send requests to this machine, and the names of other machines can be made to resolve to it
(DNS rebinding). So a request has to name this server as its host, and must not come from a page of another server. It
also has to have a token, unless it asks for the page itself.

The token is in the fragment of the page's address, which browsers do not send; the page sends it in a header. It is not
in a cookie, because browsers send cookies to all servers of a machine, whatever their port.
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
        token: a secret, in characters of URL-safe base64.
        ports: the server's own port, and the one that is forwarded to it from elsewhere, if there is one.
    """

    def __init__(self, token: str, ports: Sequence[int]) -> None:
        self.token = token
        self._hosts = {f"{host}:{port}" for host in _HOSTS for port in ports}
        if 80 in ports:
            self._hosts.update(_HOSTS)  # browsers leave the usual port out

    def admits_host(self, hosts: Sequence[str]) -> bool:
        """Whether there is one value of `Host`, and it names this server."""
        return len(hosts) == 1 and hosts[0].lower() in self._hosts

    def admits_origin(self, origins: Sequence[str]) -> bool:
        """Whether all values of `Origin` name this server; scripts, and addresses that a user opens, send no value."""
        return all(origin.lower().startswith("http://") and origin.lower()[7:] in self._hosts for origin in origins)

    def admits_token(self, tokens: Sequence[str]) -> bool:
        """Whether one of these values is the token."""
        from hmac import compare_digest

        own = self.token.encode("ascii")
        return True in [compare_digest(own, token.encode("utf-8", "surrogateescape")) for token in tokens]

    def proof(self, nonce: str) -> str:
        """The proof that this server knows the token: the HMAC of a nonce, with SHA-256, in hexadecimal digits.

        When this server has ended, a program of another user may take its port. So the page asks for a proof before it
        sends any text or the token.
        """
        from hmac import new

        return new(self.token.encode("ascii"), nonce.encode("utf-8", "surrogateescape"), "sha256").hexdigest()


def address_with(token: str, host: str, port: int) -> str:
    """The address of the page, with its token."""
    return f"http://{host}:{port}/#{_FRAGMENT}{token}"


def new_token() -> str:
    """A token that nobody can guess."""
    from secrets import token_urlsafe

    return token_urlsafe(_TOKEN_BYTES)
