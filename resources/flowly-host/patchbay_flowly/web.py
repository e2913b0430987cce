"""`web_search` and `web_extract` over the plugin's search providers."""

from .context import Tool
from .failures import text_of_error
from .settling import settle

PREFERRED = ("brave", "firecrawl", "parallel", "tavily", "exa", "searxng", "ddgs", "xai", "local")
MOST_CHARS = 50_000
METADATA = ("metadata.google.internal", "metadata.digitalocean.com", "100.100.100.200")
PRIVATE = (
    "127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 ::1/128 fc00::/7 fe80::/10 ::ffff:0:0/96"
).split()
"""What is no address of the public web; the last one are addresses of the older kind in the clothes of the newer."""

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
        "urls": {"type": "array", "items": {"type": "string"}, "description": "Addresses of the pages."},
        "query": {"type": "string", "description": "What is looked for in them."},
        "format": {"type": "string", "enum": ["markdown", "html"], "description": "The form of the texts."},
        "maxChars": {"type": "integer", "description": "Most characters of each page.", "minimum": 1},
    },
    "required": ["urls"],
}


def _configured(capability):
    """The name that the agent's Flowly settings give for search or for extract; empty without one."""
    import json
    import os

    try:
        with open(os.path.join(os.environ.get("FLOWLY_HOME", ""), "config.json"), encoding="utf-8") as file:
            settings = json.load(file)["tools"]["web"]["search"]
        for key in (capability + "Backend", capability + "_backend", "backend"):
            if settings.get(key):
                return settings[key].strip()
        marked = (name for name in PREFERRED[1:] if (settings.get(name) or {}).get("default"))
        return "brave" if settings.get("default") else next(marked, "")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""


def _is_capable(provider, capability):
    try:
        return bool(provider.supports_search() if capability == "search" else provider.supports_extract())
    except Exception:
        return False


def _is_able(provider, capability):
    try:
        return _is_capable(provider, capability) and bool(provider.is_available())
    except Exception:
        return False


def active(providers, capability):
    """The provider that is used: the configured, the only one that can, else the first of Flowly's list, or None."""
    chosen = providers.get(_configured(capability))
    if chosen is not None and _is_capable(chosen, capability):
        return chosen
    able = {name: provider for name, provider in providers.items() if _is_able(provider, capability)}
    if len(able) == 1:
        return next(iter(able.values()))
    return next((able[name] for name in PREFERRED if name in able), None)


async def search(providers, query, count=None):
    """The results as a text."""
    provider = active(providers, "search")
    if provider is None:
        return "Error: Web search not available. No API key or proxy configured."
    try:
        found = await settle(provider.search(query, count or 5))
    except Exception as error:
        return "Error: %s" % text_of_error(error)
    if not found.get("success", True):
        return str(found.get("error") or "No results for: %s" % query)
    data = found.get("data") or {}
    results = data.get("web") or []
    if not results:
        return "No results for: %s" % query
    parts = ["Results for: %s\n" % query]
    if data.get("summary"):
        parts.append("Summary: %s\n" % data["summary"])
    parts += [_result(at, one) for at, one in enumerate(results, 1)]
    if data.get("news"):
        parts.append("\nRecent News:")
        for one in data["news"]:
            said = tuple(one.get(name, "") for name in ("title", "source", "age", "url"))
            parts.append("- %s (%s, %s)\n  %s" % said)
    return "\n".join(parts)


def _result(at, one):
    """The lines of one result."""
    lines = ["%d. %s" % (at, one.get("title", "")), one.get("url", "")]
    lines += [one["description"]] if one.get("description") else []
    lines += ["> %s" % snippet for snippet in one.get("extra_snippets") or []]
    named = (("age", "%s"), ("page_age", "published: %s"), ("language", "lang: %s"), ("source", "%s"))
    facts = [form % one[name] for name, form in named if one.get(name)]
    host = (one.get("meta_url") or {}).get("hostname")
    facts += [host] if host else []
    lines += ["[%s]" % " · ".join(facts)] if facts else []
    return "\n   ".join(str(line) for line in lines)


def refusal(url):
    """Why an address may not be read; None when it may."""
    import ipaddress
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "Could not parse URL"
    if parts.scheme not in ("http", "https"):
        return "Scheme '%s' not allowed (only http/https)" % parts.scheme
    if not host:
        return "Empty hostname"
    if host in METADATA:
        return "Host '%s' is blocked (cloud metadata endpoint)" % host
    if host in ("localhost", "0.0.0.0") or host.endswith(".localhost"):
        return "Localhost access is blocked"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    for network in PRIVATE:
        if address in ipaddress.ip_network(network):
            return "IP %s is in blocked private range %s" % (host, network)
    return None


async def extract(providers, urls, query=None, format=None, maxChars=None, **_more):
    """The texts of the pages, as JSON."""
    import json

    urls = [urls] if isinstance(urls, str) else urls
    if not isinstance(urls, list) or not urls:
        return json.dumps({"success": False, "error": "Provide a non-empty list of URLs."})
    refused = {url: refusal(url) for url in map(str, urls)}
    results = [
        {"url": url, "title": "", "content": "", "error": why} for url, why in refused.items() if why is not None
    ]
    allowed = [url for url, why in refused.items() if why is None]
    if not allowed:
        return json.dumps({"success": False, "results": results})
    provider = active(providers, "extract")
    if provider is None:
        return json.dumps({"success": False, "error": "No backend can read pages.", "results": results})
    most = maxChars or MOST_CHARS
    try:
        pages = await settle(provider.extract(allowed, format=format, query=query, max_chars=most))
    except Exception as error:
        return json.dumps({"success": False, "error": text_of_error(error), "backend": provider.name})
    for page in pages or []:
        content = page.get("content") or ""
        one = {"url": page.get("url", ""), "title": page.get("title", ""), "content": content[:most]}
        if len(content) > most:
            one["truncated"] = True
        if page.get("error"):
            one["error"] = page["error"]
        results.append(one)
    return json.dumps({"success": True, "backend": provider.name, "results": results})


def add_tools(manager):
    """Offers both, where the plugin has none of its own of these names."""
    providers = manager.web

    def add(name, run, schema, description):
        manager.add_own(Tool(name, run, None, schema, description, "web"))

    add("web_search", lambda query, count=None, **_more: search(providers, query, count), SEARCH, "Searches the web.")
    if any(_is_capable(provider, "extract") for provider in providers.values()):
        add("web_extract", lambda **given: extract(providers, **given), EXTRACT, "Reads pages of the web as text.")
