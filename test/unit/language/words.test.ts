import { expect, it } from 'vitest';
import { parseFieldSelector, parseLabelSelector } from '../../../server/kube/selectors';
import { fieldWords, labelWords } from '../../../server/language/selectors/words';

const quote = (text: string): string => `"${text}"`;

it.each([
  ['a=b', 'label "a" is "b"'],
  ['a==b', 'label "a" is "b"'],
  ['a=', 'label "a" is the empty text'],
  ['a in (b)', 'label "a" is "b"'],
  ['a in (b,c,d)', 'label "a" is "b", "c" or "d"'],
  ['a in (,b)', 'label "a" is the empty text or "b"'],
  ['a!=b', 'label "a" is anything but "b"; objects without the label match too'],
  ['a notin (b)', 'label "a" is anything but "b"; objects without the label match too'],
  ['a notin (b,c)', 'label "a" is neither "b" nor "c"; objects without the label match too'],
  ['a', 'label "a" is there, whatever its value'],
  ['!a', 'label "a" is not there'],
  [
    'a>5',
    'label "a" is a whole number greater than "5"; objects without the label, or with other text in it, do not match',
  ],
  [
    'a<5',
    'label "a" is a whole number less than "5"; objects without the label, or with other text in it, do not match',
  ],
])('says of the label requirement %j: %s', (text, words) => {
  const { requirements } = parseLabelSelector(text);
  expect(requirements.map((each) => labelWords(each, quote))).toEqual([words]);
});

it.each([
  ['a=b', 'field "a" is "b"'],
  ['a!=b', 'field "a" is anything but "b"; objects where it is empty match too'],
  ['a=', 'field "a" is empty or not there'],
  ['a!=', 'field "a" is there and not empty'],
])('says of the field requirement %j: %s', (text, words) => {
  const { requirements } = parseFieldSelector(text);
  expect(requirements.map((each) => fieldWords(each, quote))).toEqual([words]);
});
