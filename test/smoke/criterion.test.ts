import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { type Criterion, differenceOf, problemOf } from '../../src/smoke/criterion.ts';
import { resolved, type Scope } from '../../src/smoke/expression.ts';

const BODY = parseJson(`{
  "success": true,
  "data": {
    "status": "Success", "amount": "10.50", "value": 1000000000000000001, "count": 3, "none": null,
    "huge": 1000000000000000000001,
    "list": [{"id": "a", "apy": 3.5}, {"id": "b/c", "apy": 1}], "name~x": "tilde", "a/b": "slash"
  }
}`);

const SCOPE: Scope = {
  inputs: { amount: '10.5', flag: false, text: "it's", minus: -1, nested: { wallet: '0xAbC', list: [7] } },
  steps: { register: { outputs: { payment_id: 'pay_1', whole: { id: 'x' } } } },
  workflows: { first: { outputs: { hash: '0x1' } } },
  exchange: {
    method: 'POST',
    url: 'https://api.example/x?y=1',
    request: { path: { id: 'pay_1' }, query: { page: 1 }, header: { 'x-a': 'b' }, body: { sent: true } },
    response: { statusCode: 201, header: { 'content-type': 'application/json' }, body: BODY },
  },
};

const simple = (condition: string) => differenceOf({ type: 'simple', condition }, SCOPE);

describe('a simple condition', () => {
  it.each([
    '$statusCode == 201',
    '$statusCode >= 200 && $statusCode < 300',
    '($statusCode == 500 || $statusCode == 201) && !$inputs.flag',
    "$response.body#/data/status == 'success'",
    "$response.body#/data/status != 'error'",
    "$statusCode == '201' && $response.body#/data/amount == 10.5",
    "$response.body#/data/none != 'bad' && !($response.body#/data/none != null)",
    "$response.body#/data/missing == null || $response.body#/data/missing == 'x'",
    '$inputs.minus == -1.0 && $inputs.minus < 0',
    '$response.body#/data/value == 1000000000000000001',
    '$response.body#/data/value > 1000000000000000000',
    '$response.body#/data/amount == $inputs.amount || $response.body#/data/amount >= $inputs.amount',
    '$response.body#/data/amount > 10.4',
    '$response.body#/data/none == null',
    '$response.body#/data/missing == null',
    "$response.body#/data/list/1/id == 'b/c'",
    "$response.body#/data/name~0x == 'tilde' && $response.body#/data/a~1b == 'slash'",
    "$response.body.data.list[0].id == 'a'",
    '$response.body#/success',
    '$steps.register.outputs.payment_id == $request.path.id',
    "$steps.register.outputs.whole#/id == 'x'",
    "$workflows.first.outputs.hash == '0x1'",
    "$response.header.Content-Type == 'application/json'",
    "$request.header.X-A == 'b' && $request.query.page == 1 && $request.body#/sent == true",
    "$method == 'POST' && $url == 'https://api.example/x?y=1'",
    "$inputs.text == 'IT''S'",
    '$inputs.nested.list[0] == 7 && $response.body#/data/count == 3.0',
  ])('%s is met', async (condition) => {
    expect(await simple(condition)).toBeUndefined();
  });

  it.each([
    ['$response.body#/data/value == 1000000000000000000', '$response.body#/data/value is 1000000000000000001'],
    ["$response.body#/data/status == 'error'", '$response.body#/data/status is "Success"'],
    ["$response.body#/data/missing == 'x'", '$response.body#/data/missing is missing'],
    ["$response.body#/data/count != '3'", '$response.body#/data/count is 3'],
    ["$statusCode != '201'", '$statusCode is 201'],
    ["$response.body#/data/count != 'three'", '$response.body#/data/count is 3'],
    ["$response.body#/success != 'true'", '$response.body#/success is true'],
    ["$response.body#/data/missing != 'x'", '$response.body#/data/missing is missing'],
    ["!($response.body#/data/missing == 'x')", '$response.body#/data/missing is missing'],
    ['!$response.body#/data/missing', '$response.body#/data/missing is missing'],
    [
      '$response.body#/data/missing == $response.body#/data/other',
      '$response.body#/data/missing is missing, $response.body#/data/other is missing',
    ],
    ['$response.body#/data/missing == $response.body#/data/none', expect.stringContaining('missing is missing')],
    ['$response.body#/data/missing >= null', '$response.body#/data/missing is missing'],
    ['$response.body#/data/list == $response.body#/data/list', expect.stringContaining('[')],
    ['$response.body#/data/status', '$response.body#/data/status is "Success"'],
    ['$inputs.minus > 0 || $inputs.minus < -1', '$inputs.minus is -1'],
    ['$response.body#/data/huge == 1e21', '$response.body#/data/huge is 1000000000000000000001'],
    ['$response.body#/data/status > 3', '$response.body#/data/status is "Success"'],
    ['$statusCode == 200 || $inputs.flag', '$statusCode is 201, $inputs.flag is false'],
    ['$response.body#/data/constructor != null', '$response.body#/data/constructor is missing'],
    ['$inputs.__proto__ != null', '$inputs.__proto__ is missing'],
  ])('%s is not met, and the report has what was there', async (condition, actual) => {
    expect(await simple(condition)).toEqual({ expected: condition, actual });
  });

  it.each([
    ['$statusCode ==', 'is incomplete'],
    ['$statusCode = 200', 'cannot be read at "= 200"'],
    ['($statusCode == 200', 'lacks a closing bracket'],
    ['$statusCode == 200)', 'cannot be read from ")" on'],
    ['$foo.bar == 1', '$foo.bar is no expression'],
    ['$response.body/data/error == null', 'did you mean $response.body#/data/error?'],
    ["$response.bodyy#/x != 'bad'", 'did you mean $response.body#/x?'],
    ['$response.body#data/x == null', 'did you mean $response.body#/data/x?'],
    ['$response.body#/data/list[0]/id == null', 'did you mean $response.body#/data/list/0/id?'],
    ['$steps.register.output.payment_id == null', 'did you mean $steps.register.outputs.payment_id?'],
    ['$statuscode == 201', 'did you mean $statusCode?'],
    ['$response.query.page == null', '$response.query.page is no expression'],
    ["'$statusCode == 500'", "has '$statusCode == 500' where a comparison belongs"],
    ['$statusCode == 500 || true', 'has true where a comparison belongs'],
    ['!false', 'has false where a comparison belongs'],
    ['1 == 1', 'compares 1 with 1: one of them must be an expression'],
    ['!$inputs.flag == true', 'compares a condition by ==: put brackets around the comparison'],
    ['$statusCode == 0201', 'cannot be read from "201" on'],
    [`${'('.repeat(200)}$statusCode == 1${')'.repeat(200)}`, 'more than 100 brackets inside each other'],
    ['!'.repeat(5000), 'more than 100 brackets inside each other'],
    [Array(1000).fill('$statusCode == 1').join(' && '), 'more than 10000 are not supported'],
    ['&& $statusCode', 'has a value missing before &&'],
    ['', 'is incomplete'],
  ])('%s cannot be read: %s', async (condition, problem) => {
    expect(await problemOf({ type: 'simple', condition })).toContain(problem);
  });
});

describe('the other types of criteria', () => {
  const context = '$response.body';
  it.each<[Criterion, boolean]>([
    [{ type: 'regex', context: '$response.body#/data/status', condition: '^Succ' }, true],
    [{ type: 'regex', context: '$response.body#/data/status', condition: '^succ' }, false],
    [{ type: 'regex', context: '$response.body#/data/missing', condition: '' }, false],
    [{ type: 'jsonpath', context, condition: '$.data.list[?@.apy > 3].id' }, true],
    [{ type: 'jsonpath', context, condition: '$.data.list[?@.apy > 4].id' }, false],
    [{ type: 'jsonpath', context, condition: "$.data.list[?@.id == 'b/c']" }, true],
  ])('%j', async (criterion, isMet) => {
    expect((await differenceOf(criterion, SCOPE)) === undefined).toBe(isMet);
  });

  it('compare numbers in a filter exactly, or not at all', async () => {
    const check = async (document: string, condition: string) =>
      differenceOf(
        { type: 'jsonpath', context: '$inputs.v', condition },
        { ...SCOPE, inputs: { v: parseJson(document) } },
      );
    expect(await check('[{"a": 9007199254740993}]', '$[?@.a > 9007199254740992]')).toMatchObject({
      actual: expect.stringContaining('has the number 9007199254740993, which a filter rounds'),
    });
    expect(await check('[{"a": 0.1, "b": 0.1000000000000000055}]', '$[?@.a == @.b]')).toMatchObject({
      actual: expect.stringContaining('0.1000000000000000055'),
    });
    expect(await check('[{"a": 9007199254740993, "b": 1.10}]', '$[?@.a > 5 && @.b == 1.1]')).toBeUndefined();
    expect(await problemOf({ type: 'jsonpath', context, condition: '$[?@.a == 9007199254740993]' })).toContain(
      'has the number 9007199254740993, which a filter would round',
    );
    expect(await problemOf({ type: 'jsonpath', context, condition: "$[?@.a1 == '9007199254740993']" })).toBeUndefined();
  });

  it('end a pattern that takes exponential time', async () => {
    const scope = { ...SCOPE, inputs: { text: `${'a'.repeat(40)}b` } };
    const criterion: Criterion = { type: 'regex', context: '$inputs.text', condition: '^(a+)+$' };
    expect((await differenceOf(criterion, scope))?.actual).toContain('was not checked within 200 ms');
  });

  it('end a path that takes exponential time', async () => {
    const scope = { ...SCOPE, inputs: { list: [`${'a'.repeat(40)}b`] } };
    const condition = "$[?match(@, '((a+)+)+c')]";
    const difference = await differenceOf({ type: 'jsonpath', context: '$inputs.list', condition }, scope);
    expect(difference?.actual).toContain('was not checked within 200 ms');
  });

  it('are refused without a context, with a wrong pattern, and with a wrong path', async () => {
    expect(await problemOf({ type: 'regex', condition: 'x' })).toContain('needs a context');
    expect(await problemOf({ type: 'regex', context, condition: '(' })).toContain('(');
    expect(await problemOf({ type: 'jsonpath', context, condition: '$.[' })).toContain('$.[');
  });
});

describe('an expression in a request', () => {
  it('keeps the type of a value, and becomes text inside text', () => {
    const payload = {
      id: '$steps.register.outputs.payment_id',
      whole: '$steps.register.outputs.whole',
      value: '$response.body#/data/value',
      text: 'payment {$steps.register.outputs.payment_id} of {$response.body#/data/value}',
      dollar: '$5 is no expression',
      list: ['$inputs.flag', 1],
    };
    expect(JSON.parse(JSON.stringify(resolved(payload, SCOPE)))).toEqual({
      id: 'pay_1',
      whole: { id: 'x' },
      value: expect.anything(),
      text: 'payment pay_1 of 1000000000000000001',
      dollar: '$5 is no expression',
      list: [false, 1],
    });
    expect(String((resolved(payload, SCOPE) as { value: unknown }).value)).toBe('1000000000000000001');
  });

  it('leaves out a field whose input has no value', () => {
    expect(resolved({ order_code: '$inputs.order', amount: '$inputs.amount' }, SCOPE)).toEqual({ amount: '10.5' });
  });
});
