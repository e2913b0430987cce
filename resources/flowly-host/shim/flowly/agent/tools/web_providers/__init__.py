"""The base class of search providers."""

from abc import ABC, abstractmethod


class WebSearchProvider(ABC):
    """A way to search the web or to read pages."""

    @property
    @abstractmethod
    def name(self):
        """Short name, lower case."""

    @property
    def display_name(self):
        """Name for people."""
        return self.name

    @abstractmethod
    def is_available(self):
        """Whether it can be used now. Must be cheap."""

    def supports_search(self):
        """Whether `search` works."""
        return True

    def supports_extract(self):
        """Whether `extract` works."""
        return False

    def search(self, query, limit=5):
        """Gives `{"success": bool, "data": {"web": [{title, url, description}]}}`."""
        raise NotImplementedError("%s does not support search (override supports_search)" % self.name)

    def extract(self, urls, **kwargs):
        """Gives a list of `{url, title, content}`; may be async."""
        raise NotImplementedError("%s does not support extract (override supports_extract)" % self.name)

    def get_setup_schema(self):
        """What a setup has to ask for."""
        return {"name": self.display_name, "badge": "", "tag": "", "env_vars": []}
