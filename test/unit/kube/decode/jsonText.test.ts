import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../../server/common/bytes';
import { DecodeError } from '../../../../server/kube/decode/errors';
import { parseJsonObject } from '../../../../server/kube/decode/jsonText';

const parse = (json: string) => parseJsonObject(utf8(json));

describe('numbers that no double holds', () => {
  it.each(['1e400', '-1E+400', '1.5e309', `1${'0'.repeat(309)}`, `${'9'.repeat(300)}e20`])(
    '%s is refused wherever it stands',
    (number) => {
      for (const json of [
        `{"a":${number}}`,
        `{"a":[1,{"b":${number}}]}`,
        `{"big":9007199254740993,"a":${number}}`,
        `{"a":${number},"a":1}`,
      ]) {
        expect(() => parse(json)).toThrow(DecodeError);
        expect(() => parse(json)).toThrow(/a number is out of range/);
      }
    },
  );

  it('are no numbers inside text', () => {
    expect(parse('{"a":"1e400 \\" 1e400","1e400":2}')).toEqual({ a: '1e400 " 1e400', '1e400': 2 });
  });

  it('are not those that only look large or small', () => {
    expect(parse('{"a":1.7e308,"b":1e-400,"c":0e400}')).toEqual({ a: 1.7e308, b: 0, c: 0 });
  });
});
