"""The script that Alembic runs, on the connection that `schema.ready` has opened.

This folder is not a package, because only Alembic imports its files.
"""

from alembic import context

from helix_hooks.queue.schema import VERSIONS

context.configure(connection=context.config.attributes["connection"], version_table=VERSIONS)
with context.begin_transaction():
    context.run_migrations()
