import { expect, it } from 'vitest';
import { checkQuery } from '../../../server/features/check';
import { knownTarget } from '../../../server/features/knownTargets';
import { query } from '../client/support';

const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"a\\u0000"}').toString('base64url');
const problems = (continueToken: string) =>
  checkQuery({ ...query, continueToken }, knownTarget('pods', undefined)).problems.map(
    ({ message }) => message,
  );

it('says what to do about a token that was pasted with something around it', () => {
  expect(problems(token)).toEqual([]);
  for (const text of [`"${token}"`, `--continue=${token}`, ` ${token}`]) {
    expect(problems(text)).toEqual([
      expect.stringMatching(/^invalid continue token: .*; write the token alone, without what/),
    ]);
  }
  expect(problems('"abc"')).toEqual([expect.not.stringContaining('write the token alone')]);
});
