"""`web_search` and `web_extract` over the plugin's search providers."""

from .context import Tool
from .failures import Aborted, text_of_error
from .settling import settle

PREFERRED = ("tavily", "ddgs")
"""Names that are chosen where several providers could be; of two others none is."""
MOST_RESULTS = 10
MOST_URLS = 10
MOST_CHARS = 20_000
PRIVATE = (".local", ".internal", ".lan", ".home.arpa")
"""Ends of names that lead into a private network."""

SEARCH = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What to search for."},
        "count": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_RESULTS,
            "description": "Results wanted, 5 if not given.",
        },
    },
    "required": ["query"],
}
EXTRACT = {
    "type": "object",
    "properties": {
        "urls": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": MOST_URLS,
            "description": "Addresses of the pages to read.",
        },
        "query": {"type": "string", "description": "What is looked for on the pages, if the provider can use it."},
        "format": {"type": "string", "description": "The form of the text, if the provider knows several."},
        "maxChars": {
            "type": "integer",
            "minimum": 1,
            "description": "Characters of each page at most, %d if not given." % MOST_CHARS,
        },
    },
    "required": ["urls"],
}


def _configured(capability):
    """The name that the agent's Flowly settings give for search or for extract; empty without one."""
    from flowly.config.loader import load_config

    value = load_config()
    for name in ("tools", "web", capability, "backend"):
        value = value.get(name) if isinstance(value, dict) else None
    return value.strip() if isinstance(value, str) else ""


def _is_capable(provider, capability):
    """Whether it says that it can; one that raises cannot."""
    try:
        return bool(provider.supports_search() if capability == "search" else provider.supports_extract())
    except Aborted:
        raise
    except BaseException:
        return False


def _is_able(provider, capability):
    """Whether it can, and can now."""
    try:
        return _is_capable(provider, capability) and bool(provider.is_available())
    except Aborted:
        raise
    except BaseException:
        return False


def active(providers, capability):
    """The provider that is used: the configured, the only one that can, else the first of the preferred, or None."""
    configured = _configured(capability)
    if configured:
        return providers.get(configured)
    able = {name: one for name, one in list(providers.items()) if _is_able(one, capability)}
    if len(able) == 1:
        return next(iter(able.values()))
    return next((able[name] for name in PREFERRED if name in able), None)


def _number(value, usual, most):
    """A number that a model gave, from 1 to `most`; the usual one where it gave none."""
    try:
        return min(max(int(value), 1), most)
    except (TypeError, ValueError, OverflowError):
        return usual


async def search(providers, query, count=None):
    """The results as a text."""
    provider = active(providers, "search")
    if provider is None:
        return "Error: Web search not available. No API key or proxy configured."
    count = _number(count, 5, MOST_RESULTS)
    try:
        answer = await settle(provider.search(query, limit=count))
    except Exception as error:
        return "Error: %s" % text_of_error(error)
    found = []
    if answer.get("success"):
        found = (answer.get("data") or {}).get("web") or []
    elif answer.get("error"):
        return str(answer["error"])
    found = [one for one in found if isinstance(one, dict)][:count]
    if not found:
        return "No results for: %s" % query
    lines = ["Results for: %s" % query, ""]
    for at, one in enumerate(found, 1):
        lines += _result(at, one)
    return "\n".join(lines)


def _line(value):
    """A text on one line."""
    return "" if value is None else " ".join(str(value).split())


def _result(at, one):
    """The lines of one result."""
    url = _line(one.get("url"))
    more = [url, _line(one.get("description"))]
    return ["%d. %s" % (at, _line(one.get("title")) or url)] + ["   " + line for line in more if line]


def _address(host):
    """The IP address that a host is, in any way of writing it; None for a name. One inside of IPv6 is taken out."""
    import ipaddress
    import socket

    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        try:
            # Old ways of writing, such as 127.1 and 0x7f000001, lead to the same place. No name is looked up.
            return ipaddress.ip_address(socket.inet_aton(host))
        except (OSError, ValueError):
            return None
    if found.version == 6:
        if found.ipv4_mapped or found.sixtofour:
            return found.ipv4_mapped or found.sixtofour
        for network in ("64:ff9b::/96", "::/96"):
            if found in ipaddress.ip_network(network) and int(found) & 0xFFFFFFFF > 1:
                return ipaddress.ip_address(int(found) & 0xFFFFFFFF)
    return found


def _plain_host(host):
    """The host with the letters, digits and dots that a browser would take it for."""
    if not host.isascii():
        import unicodedata

        host = unicodedata.normalize("NFKC", host).replace("\u3002", ".").lower()
    return host.rstrip(".")


def refusal(url):
    """
    Why an address may not be read; None when it may.

    Names are not looked up: what the plugin may reach is decided by its permissions.
    """
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url.strip())
        host = _plain_host(parts.hostname or "")
        parts.port  # noqa: B018 (raises for a port that is none)
    except (AttributeError, TypeError, ValueError):
        return "This is no web address"
    if parts.scheme and parts.scheme not in ("http", "https"):
        return "Scheme '%s' not allowed (only http/https)" % parts.scheme
    if not parts.scheme or not host:
        return "This is no web address"
    if host == "localhost" or host.endswith(".localhost"):
        return "Localhost access is blocked"
    address = _address(host)
    if address is None:
        is_private = "." not in host or host.endswith(PRIVATE)
    else:
        is_private = not address.is_global or address.is_multicast
    return "%s belongs to this computer or a private network, which is blocked" % host if is_private else None


def _page(one, most):
    """One page as it is answered, with at most so many characters."""
    content = str(one.get("content") or one.get("raw_content") or "")
    page = {"url": str(one.get("url") or ""), "title": str(one.get("title") or ""), "content": content[:most]}
    if len(content) > most:
        page["truncated"] = True
    if one.get("error"):
        page["error"] = str(one["error"])
    return page


def _json(value):
    import json

    return json.dumps(value, ensure_ascii=False)


async def extract(providers, urls, query=None, format=None, maxChars=None, **_more):
    """The texts of the pages, as JSON."""
    urls = [urls] if isinstance(urls, str) else urls
    if not isinstance(urls, list) or not 0 < len(urls) <= MOST_URLS:
        return _json({"success": False, "error": "From 1 to %d addresses can be read at once" % MOST_URLS})
    refused, asked = [], []
    for url in urls:
        why = refusal(url)
        if why is None:
            asked.append(url.strip())
        else:
            refused.append({"url": str(url), "title": "", "content": "", "error": why})
    if not asked:
        return _json({"success": False, "results": refused})
    provider = active(providers, "extract")
    if provider is None:
        return _json({"success": False, "error": "Reading web pages is not available. No provider is ready for it."})
    given = {name: value for name, value in (("query", query), ("format", format)) if value is not None}
    try:
        pages = await settle(provider.extract(asked, **given))
        most = _number(maxChars, MOST_CHARS, 10 * MOST_CHARS)
        pages = [_page(one, most) for one in pages or []]
    except Exception as error:
        return _json({"success": False, "error": text_of_error(error), "backend": provider.name})
    is_read = any("error" not in page for page in pages)
    return _json({"success": is_read, "backend": provider.name, "results": pages + refused})


def add_tools(manager):
    """Offers both, where the plugin has none of its own of these names."""
    providers = manager.web

    def add(name, run, schema, description):
        manager.add_own(Tool(name, run, None, schema, description, "web"))

    add("web_search", lambda query, count=None, **_more: search(providers, query, count), SEARCH, "Searches the web.")
    if any(_is_capable(provider, "extract") for provider in providers.values()):
        add("web_extract", lambda **given: extract(providers, **given), EXTRACT, "Reads pages of the web as text.")
