/** `token decode`, `token check` and `token encode`: pure work on text, nothing is read. */
import { compareBytes, equalBytes, utf8 } from '../../common/bytes';
import {
  decodeContinue,
  encodeContinueDetailed,
  TokenError,
  type DecodedToken,
} from '../../store/continueToken';
import { decodeRawUrlBase64 } from '../../store/goBase64';
import type { TokenPlan } from '../args/plan';
import type { Context } from '../context';
import { ExitCode, usageError } from '../exit';
import { cell, keyText } from '../output/text';
import { thousands } from '../quantities';

export async function runToken(plan: TokenPlan, context: Context): Promise<ExitCode> {
  switch (plan.command) {
    case 'token decode':
      await context.rows.write(`${decodeLines(plan.token, plan.prefix).join('\n')}\n`);
      return ExitCode.done;
    case 'token check':
      return check(plan, context);
    case 'token encode':
      await context.rows.write(`${encode(plan)}\n`);
      return ExitCode.done;
  }
}

/** The API server's own text for a token it refuses, and nothing else. */
async function check(
  { token, prefix }: Extract<TokenPlan, { command: 'token check' }>,
  context: Context,
): Promise<ExitCode> {
  try {
    decodeContinue(token, utf8(prefix));
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    context.notes.line(`invalid continue token: ${cell(error.message)}`);
    return ExitCode.failed;
  }
  await context.rows.write('ok\n');
  return ExitCode.done;
}

function decoded(token: string, prefix: string): DecodedToken {
  try {
    return decodeContinue(token, utf8(prefix));
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw usageError(`invalid continue token: ${cell(error.message)}`, { cause: error });
  }
}

const RELATIVE =
  "start key  relative: the list's prefix stands before it; --prefix /registry/pods/ shows it whole";

function decodeLines(token: string, prefix: string | undefined): string[] {
  const { key, resourceVersion, start } = decoded(token, prefix ?? '/');
  const json = Buffer.from(decodeRawUrlBase64(token)).toString('utf8');
  const lines = [
    `json       ${cell(json)}`,
    `revision   ${revisionText(resourceVersion)}`,
    `start      ${cell(start)}`,
    prefix === undefined ? RELATIVE : `start key  ${keyText(key)}`,
  ];
  if (start.includes('\ufffd')) {
    lines.push(
      'note       the start key holds U+FFFD: the key it came from was probably not UTF-8',
    );
  }
  return lines;
}

function revisionText(revision: bigint): string {
  if (revision < 0n) return `${revision} (the latest when it is read: an inconsistent list)`;
  const grouped = revision < 1000n ? '' : `${thousands(revision)}; `;
  return `${revision} (${grouped}410 once etcd has compacted it)`;
}

function encode(plan: Extract<TokenPlan, { command: 'token encode' }>): string {
  const key = utf8(plan.key);
  const prefix = utf8(plan.prefix);
  if (compareBytes(key, prefix) <= 0) throw usageError(outside(plan));
  let token: string;
  try {
    token = encodeContinueDetailed(key, prefix, plan.revision).token;
  } catch (error) {
    throw usageError(outside(plan), { cause: error });
  }
  const back = decoded(token, plan.prefix);
  if (!equalBytes(back.key, key))
    throw usageError(`the start key ${keyText(key)} cannot be carried by a token`);
  return token;
}

function outside(plan: { readonly key: string; readonly prefix: string }): string {
  return `the key ${cell(plan.key.replace(/\0$/, ''))} does not lie below the prefix ${cell(plan.prefix)}`;
}
