"""The SQL side of a lake: `publish` builds its catalog from sql/, `connect` opens it, reports and audits run in it."""

from pipeline.catalog.corrections import BadCorrection
from pipeline.catalog.crosstables import Drawn
from pipeline.catalog.crosstables import draw as draw_crosstable
from pipeline.catalog.decisions import checked_repairs
from pipeline.catalog.files import BadSqlFile, Described, SqlFile, load_sql, sql_root
from pipeline.catalog.publish import CatalogInput, publish
from pipeline.catalog.reports import Audit, BadReport, Finding, Report, audits, reports, run_audits, run_report, view_names
from pipeline.catalog.session import BadCatalog, NoCatalog, StatementRefused, check_statement, connect, is_damage, missing, rows
from pipeline.catalog.texts import as_text
from pipeline.catalog.variants import first_difference, other_readings

__all__ = [
    "Audit",
    "BadCatalog",
    "BadCorrection",
    "BadReport",
    "BadSqlFile",
    "CatalogInput",
    "Described",
    "Drawn",
    "Finding",
    "NoCatalog",
    "Report",
    "SqlFile",
    "StatementRefused",
    "as_text",
    "audits",
    "check_statement",
    "checked_repairs",
    "connect",
    "draw_crosstable",
    "first_difference",
    "is_damage",
    "load_sql",
    "missing",
    "other_readings",
    "publish",
    "reports",
    "rows",
    "run_audits",
    "run_report",
    "sql_root",
    "view_names",
]
