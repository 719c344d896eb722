"""Static pages of a lake: `write_site` asks its catalog, draws charts and boards, and writes one folder of plain files.

No server and no outside address: everything that a page needs lies in the folder. Text from score files is escaped.
"""

from __future__ import annotations

from pipeline.site.corpus import Limits
from pipeline.site.folder import SiteRefused
from pipeline.site.whole import Written, write_site

__all__ = ["Limits", "SiteRefused", "Written", "write_site"]
