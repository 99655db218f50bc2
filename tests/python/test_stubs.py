"""Stubs against the options that verbs declare."""

import ast

from stubs import STUBS, stubs


def test_the_stubs_have_the_options_of_the_verbs():
    assert STUBS.read_text() == stubs(), "tests/python/stubs.py writes them anew"
    methods = {node.name: node for node in ast.walk(ast.parse(STUBS.read_text()))
               if isinstance(node, ast.FunctionDef)}
    keywords = {argument.arg: ast.unparse(argument.annotation)
                for argument in methods["track"].args.kwonlyargs}
    assert keywords["sample_time"] == "float" and keywords["saturate"] == "bool"
    assert keywords["controller"].startswith("Literal['computed-torque', 'pd'")
