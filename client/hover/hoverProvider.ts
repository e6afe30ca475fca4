import { Hover, languages, MarkdownString, Range } from 'vscode';
import type { CancellationToken, Disposable, HoverProvider, Position, TextDocument } from 'vscode';
import * as names from '../../server/protocol/names';
import type { HoverToken } from '../../server/protocol/model';
import { failureOf } from '../lsp/failure';
import type { LspCaller } from '../lsp/lspClient';
import { candidateAt } from './candidate';
import { inspectLink } from './inspectLink';

/** Explains the continue token under the pointer. Only its line leaves the extension host. */
class TokenHover implements HoverProvider {
  constructor(
    private readonly lsp: LspCaller,
    private readonly log: (text: string) => void,
  ) {}

  async provideHover(
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<Hover | undefined> {
    const candidate = candidateAt(document.lineAt(position).text, position.character);
    if (!candidate) return undefined;
    const { line, character, offset } = candidate;
    try {
      const found = await this.lsp.request('etcdList/hoverToken', { line, character }, token);
      if (!found || token.isCancellationRequested) return undefined;
      return new Hover(markdown(found), rangeOf(found, position.line, offset));
    } catch (error) {
      const { code, sentence } = failureOf(error);
      if (code !== 'cancelled') this.log(`A hover had no answer. ${sentence}`);
      return undefined;
    }
  }
}

function markdown(found: HoverToken): MarkdownString {
  const text = new MarkdownString(`${found.markdown}\n\n${inspectLink(found.token)}`);
  text.isTrusted = { enabledCommands: [names.commands.inspectToken] };
  return text;
}

function rangeOf({ start, end }: HoverToken, line: number, offset: number): Range {
  return new Range(line, offset + start, line, offset + end);
}

/** Hovers in the documents of some languages, which may change while VS Code runs. */
export class TokenHovers {
  private registration: Disposable | undefined;
  private registered = '';
  private readonly provider: TokenHover;

  constructor(lsp: LspCaller, log: (text: string) => void) {
    this.provider = new TokenHover(lsp, log);
  }

  setLanguages(ids: readonly string[]): void {
    const wanted = JSON.stringify(ids);
    if (wanted === this.registered) return;
    this.registration?.dispose();
    this.registered = wanted;
    this.registration =
      ids.length === 0
        ? undefined
        : languages.registerHoverProvider(
            ids.map((language) => ({ language })),
            this.provider,
          );
  }

  dispose(): void {
    this.registration?.dispose();
  }
}
