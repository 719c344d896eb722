-- purpose: True when one name key is an abbreviation of another: initials or missing names, one whole name in common.
-- parameters:
--   short  VARCHAR  Name key that may be the abbreviation (`adler n`, `adler`).
--   whole  VARCHAR  Name key that may be the full form (`adler nora`).
-- columns:
--   name_abbreviates  BOOLEAN  Each name of `short` is in `full` or is the initial of another name there.
select
    len(string_split(short, ' ')) <= len(string_split(whole, ' '))
    and list_bool_or(
        list_transform(string_split(short, ' '), lambda s: len(s) > 1 and list_contains(string_split(whole, ' '), s))
    )
    and list_bool_and(
        list_transform(
            string_split(short, ' '),
            lambda s: list_contains(string_split(whole, ' '), s)
            or (
                len(s) = 1
                and len(
                    list_filter(
                        string_split(whole, ' '),
                        lambda f: starts_with(f, s) and not list_contains(string_split(short, ' '), f)
                    )
                ) > 0
            )
        )
    )
