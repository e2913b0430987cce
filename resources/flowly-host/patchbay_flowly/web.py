"""`web_search` and `web_extract` over the plugin's search providers."""

from .context import Tool
from .failures import Aborted, text_of_error
from .settling import settle

PREFERRED = ("firecrawl", "parallel", "tavily", "exa", "searxng", "brave-free", "ddgs")
MOST_CHARS = 15_000

SEARCH = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What to search for."},
        "count": {"type": "integer", "description": "How many results, 1 to 10.", "minimum": 1, "maximum": 10},
    },
    "required": ["query"],
}
EXTRACT = {
    "type": "object",
    "properties": {
        "urls": {
            "description": "Addresses of the pages.",
            "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}],
        },
        "maxChars": {"type": "integer", "description": "Most characters of each page.", "minimum": 1},
    },
    "required": ["urls"],
}


def _configured(capability):
    """The name that the agent's Flowly settings give, `tools.web.<capability>.backend`; None without one."""
    import json
    import os

    home = os.environ.get("FLOWLY_HOME")
    try:
        with open(os.path.join(home, "config.json"), encoding="utf-8") as file:
            name = json.load(file)["tools"]["web"][capability]["backend"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) and name else None


def active(providers, capability):
    """The provider that is used: the configured, the only one that can, else the first of Flowly's list, or None."""
    name = _configured(capability)
    if name is not None:
        return providers.get(name)
    able = {}
    for name, provider in providers.items():
        try:
            can = provider.supports_search() if capability == "search" else provider.supports_extract()
            if can and provider.is_available():
                able[name] = provider
        except Aborted:
            raise
        except BaseException:
            continue
    if len(able) == 1:
        return next(iter(able.values()))
    return next((able[name] for name in PREFERRED if name in able), None)


async def search(providers, query, count=None):
    """The results as a text."""
    provider = active(providers, "search")
    if provider is None:
        return "Error: Web search not available. No API key or proxy configured."
    limit = count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 5
    try:
        found = await settle(provider.search(query, limit=min(limit, 10)))
    except Exception as error:
        return "Error: %s" % text_of_error(error)
    if not found.get("success"):
        return found.get("error") or "No results for: %s" % query
    results = (found.get("data") or {}).get("web") or []
    if not results:
        return "No results for: %s" % query
    lines = ["Results for: %s\n" % query]
    for at, one in enumerate(results[:limit], 1):
        lines.append("%d. %s\n   %s" % (at, one.get("title", ""), one.get("url", "")))
        if one.get("description"):
            lines.append("   %s" % one["description"])
    return "\n".join(lines)


def refusal(url):
    """Why an address may not be read; None when it may."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".").lower()
    except ValueError:
        return "Invalid URL"
    if parts.scheme not in ("http", "https"):
        return "Scheme '%s' not allowed (only http/https)" % (parts.scheme or "none")
    if not host:
        return "Missing domain"
    if host == "localhost" or host.endswith(".localhost"):
        return "Localhost access is blocked"
    try:
        import ipaddress

        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    if address.is_loopback:
        return "Localhost access is blocked"
    if not address.is_global:
        return "Private IP access is blocked"
    return None


async def extract(providers, urls, maxChars=None):
    """The texts of the pages, as JSON."""
    import json

    urls = [urls] if isinstance(urls, str) else [url for url in urls if isinstance(url, str)]
    results = []
    allowed = []
    for url in urls:
        why = refusal(url)
        if why is None:
            allowed.append(url)
        else:
            results.append({"url": url, "title": "", "content": "", "error": why})
    if not allowed:
        return json.dumps({"success": False, "results": results}, ensure_ascii=False)
    provider = active(providers, "extract")
    if provider is None:
        return json.dumps({"success": False, "error": "Web extract not available."}, ensure_ascii=False)
    most = maxChars if isinstance(maxChars, int) and not isinstance(maxChars, bool) and maxChars > 0 else MOST_CHARS
    answer = {"success": True, "backend": provider.name}
    try:
        for page in await settle(provider.extract(allowed)):
            content = page.get("content") or ""
            one = {"url": page.get("url", ""), "title": page.get("title", ""), "content": content[:most]}
            if len(content) > most:
                one["truncated"] = True
            if page.get("error"):
                one["error"] = page["error"]
            results.append(one)
        answer["results"] = results
    except Exception as error:
        answer = {"success": False, "error": text_of_error(error), "backend": provider.name}
    return json.dumps(answer, ensure_ascii=False)


def add_tools(manager):
    """Offers both, where the plugin has none of its own of these names."""
    providers = manager.web

    def add(name, run, schema, description):
        manager.add_own(Tool(name, run, None, schema, description, "web"))

    add("web_search", lambda **given: search(providers, **given), SEARCH, "Searches the web.")
    if any(_can_extract(provider) for provider in providers.values()):
        add("web_extract", lambda **given: extract(providers, **given), EXTRACT, "Reads pages of the web as text.")


def _can_extract(provider):
    try:
        return bool(provider.supports_extract())
    except Exception:
        return False
