"""Forms from pydantic models and answers back into them, where pydantic is installed."""

from __future__ import annotations

import unittest
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, Dict, List, Literal, Optional, Type

from holdpoint import Problem, Refused, Unfit, fields_of

from .server import Served, Task

try:
    import pydantic
    from pydantic import BaseModel, Field
except ImportError:
    raise unittest.SkipTest("pydantic is not installed") from None


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Order(BaseModel):
    """What the tests ask for."""

    name: str = Field(min_length=2, max_length=20, description="As on the invoice")
    notes: Optional[str] = Field(None, title="Anything else?", json_schema_extra={"kind": "multiline"})
    site: Optional[pydantic.HttpUrl] = None
    count: int = Field(3, gt=0, lt=10)
    price: float = Field(ge=0.5)
    discount: Optional[Decimal]
    gift: bool = False
    cache: Literal["redis", "memory"]
    size: Size = Size.SMALL
    extras: List[Literal["ribbon", "card", 7]] = []
    needed_by: date
    at: time = time(9, 30)
    called: Optional[datetime] = None


ANSWER: Dict[str, Any] = {
    "name": "Ana",
    "count": 4,
    "price": 2.5,
    "gift": True,
    "cache": "redis",
    "size": "2",
    "extras": ["card", "7"],
    "needed_by": "2026-12-24",
    "at": "14:00:00",
    "called": "2026-11-17T08:00:00",
    "site": "https://example.org/a",
}


class Models(Served):
    def test_the_form_is_taken_and_the_answer_comes_back(self) -> None:
        waiter = Task(lambda: self.client.ask("What shall it be?", result=Order, project="forms"))
        self.server.until_parked()
        (made,) = self.client.list(project="forms")
        kinds = ["text", "multiline", "url", "integer", "number", "number", "boolean", "choice", "choice", "choices"]
        self.assertEqual([field.kind for field in made.fields], [*kinds, "date", "time", "datetime"])
        self.assertEqual([field.id for field in made.fields if field.required], ["name", "price", "cache", "needed_by"])
        name, notes, _, count, *_ = made.fields
        self.assertEqual((name.min, name.max, name.label, name.description), (2, 20, "Name", "As on the invoice"))
        self.assertEqual((count.min, count.max, count.default, notes.label), (1, 9, 3, "Anything else?"))
        self.client.answer(made, values=ANSWER)
        order = waiter.result()
        self.assertIsInstance(order, Order)
        self.assertEqual((order.count, order.price, order.discount, order.gift), (4, 2.5, None, True))
        self.assertEqual((order.cache, order.size, order.extras), ("redis", Size.LARGE, ["card", 7]))
        self.assertEqual((order.needed_by, order.at), (date(2026, 12, 24), time(14)))
        self.assertEqual((order.called, str(order.site), order.notes), (datetime(2026, 11, 17, 8), "https://example.org/a", None))

    def test_a_settled_decision_into_a_model(self) -> None:
        made = self.client.create("?", fields=fields_of(Order))
        few = {key: ANSWER[key] for key in ("name", "price", "cache", "needed_by")}
        order = self.client.answer(made, values=few).into(Order)
        self.assertEqual((order.count, order.size, order.extras, order.at), (3, Size.SMALL, [], time(9, 30)))

    def test_a_no_is_no_instance(self) -> None:
        self.client.answer(self.client.create("?", fields=fields_of(Order), outs=["never"], key="never"), out="never")
        with self.assertRaises(Refused):
            self.client.ask("?", result=Order, outs=["never"], key="never")

    def test_what_the_model_itself_refuses(self) -> None:
        class Even(BaseModel):
            number: int = Field(multiple_of=2)

        self.client.answer(self.client.create("?", fields=fields_of(Even), key="even"), values={"number": 3})
        with self.assertRaisesRegex(Unfit, "Even does not accept it") as caught:
            self.client.ask("?", result=Even, key="even")
        self.assertIsInstance(caught.exception.__cause__, pydantic.ValidationError)
        self.assertEqual(caught.exception.decision.values, {"number": 3})

    def test_strict_models_and_aliases(self) -> None:
        class Strict(BaseModel):
            model_config = pydantic.ConfigDict(strict=True)
            day: date = Field(alias="theDay")
            size: Size

        made = self.client.create("?", fields=fields_of(Strict))
        found = self.client.answer(made, values={"day": "2026-01-02", "size": "1"}).into(Strict)
        self.assertEqual((found.day, found.size), (date(2026, 1, 2), Size.SMALL))

    def test_exclusive_bounds_are_the_forms_own(self) -> None:
        class Price(BaseModel):
            gross: float = Field(gt=0, lt=100, description="With tax.")
            net: Decimal = Field(gt=0)
            rate: float = Field(ge=0)

        fields = fields_of(Price)
        bounds = [(field.min, field.exclusive_min, field.max, field.exclusive_max) for field in fields]
        self.assertEqual(bounds, [(0, True, 100, True), (0, True, None, False), (0, False, None, False)])
        self.assertEqual(fields[0].description, "With tax.")
        made = self.client.create("?", fields=fields)
        with self.assertRaisesRegex(Problem, "0 is not more than 0 and less than 100"):
            self.client.answer(made, values={"gross": 0, "net": 1, "rate": 0})
        found = self.client.answer(made, values={"gross": 99.5, "net": 0.01, "rate": 0}).into(Price)
        self.assertEqual(found.net, Decimal("0.01"))

    def test_limits_that_a_form_does_not_know_are_described(self) -> None:
        class Part(BaseModel):
            code: str = Field(pattern=r"^[A-Z]{3}-\d+$", description="As on the box.")
            pack: int = Field(multiple_of=6)
            length: float = Field(gt=0, multiple_of=0.5)
            free: str

        described = [field.description for field in fields_of(Part)]
        code = r"As on the box. Must match the pattern ^[A-Z]{3}-\d+$"
        self.assertEqual(described, [code, "Must be a multiple of 6.", "Must be a multiple of 0.5.", None])

    def test_a_result_where_nothing_is_returned(self) -> None:
        wrong: Any = {"result": Order}
        with self.assertRaisesRegex(TypeError, "`result` belongs to `ask`.*fields_of"):
            self.client.create("?", **wrong)

    def test_what_a_form_cannot_carry(self) -> None:
        class Mixed(Enum):
            A = 1.5

        for kind, why in (
            (Dict[str, str], "cannot carry Dict"),
            (List[str], "cannot carry List"),
            (Order, "cannot carry Order"),
            (bytes, "cannot carry bytes"),
            (pydantic.SecretStr, "cannot carry SecretStr"),
            (Any, "cannot carry Any"),
            (Mixed, "only texts and whole numbers"),
            (Literal["1", 1], "cannot be told apart"),
        ):
            what: Any = (kind, ...)
            model: Type[Any] = pydantic.create_model("Made", what=what)
            with self.assertRaisesRegex(TypeError, f"Made.what: .*{why}"):
                fields_of(model)
        for nothing in (int, "Order", pydantic.create_model("Empty")):
            with self.assertRaises(TypeError):
                fields_of(nothing)  # type: ignore[arg-type]

    def test_one_form_is_enough(self) -> None:
        with self.assertRaisesRegex(ValueError, "leave out options"):
            self.client.ask("?", result=Order, options=["a"])
