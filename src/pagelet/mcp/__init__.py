"""The methods as tools of language-model clients, over the Model Context Protocol."""
