"""The model writer: a language model with the tools of ``gitmem.writer.tools``, over its provider's API.

The only importer of pydantic-ai and of the providers' clients, which the optional extra ``model`` installs.
"""
