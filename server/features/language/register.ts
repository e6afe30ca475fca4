/** The language of selectors, as an editor asks for it. */
import type {
  CancellationToken,
  CodeAction,
  CodeLens,
  CompletionList,
  Connection,
  InlayHint,
} from 'vscode-languageserver/node';
import type { ServerCapabilities } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { HoverOther } from '../hover';
import { Analyses } from './analyses';
import type { Analyst } from './analyst';
import { ACTION_KINDS, codeActions } from './codeActions';
import { complete, TRIGGERS, type CompletionParts } from './completion';
import { Diagnostics } from './diagnostics';
import type { Severities } from './found';
import { queryLenses } from './queryLenses';
import { documentSymbols, foldingRanges, formatting, semanticTokens } from './queryFeatures';
import { SiteCounts } from './siteCounts';
import { hoverSite, siteHints, siteLenses, type SiteParts } from './sites';

/** What the server can do for every document that it is given. */
export const languageCapabilities = {
  completionProvider: { triggerCharacters: TRIGGERS },
  codeActionProvider: { codeActionKinds: ACTION_KINDS },
  codeLensProvider: {},
  inlayHintProvider: true,
} as const satisfies ServerCapabilities;

/** What is used of the language server's connection. */
export type LanguagePort = Pick<
  Connection,
  | 'onCompletion'
  | 'onCodeAction'
  | 'onCodeLens'
  | 'onDocumentSymbol'
  | 'onFoldingRanges'
  | 'onDocumentFormatting'
  | 'languages'
  | 'sendDiagnostics'
>;

/** Documents that the editor has handed over. */
export interface OpenDocuments {
  get(uri: string): TextDocument | undefined;
  onDidChangeContent(listener: (event: { readonly document: TextDocument }) => void): unknown;
  onDidClose(listener: (event: { readonly document: TextDocument }) => void): unknown;
}

export interface LanguageParts extends CompletionParts {
  readonly documents: OpenDocuments;
  readonly severities: () => Severities;
  readonly after: (ms: number, action: () => void) => () => void;
  /** Asks the editor to fetch lenses and hints again. */
  readonly refresh: () => void;
}

export interface Language {
  /** Settings are others now. */
  readonly settingsChanged: () => void;
  /** The selector under the pointer in words. */
  readonly hover: HoverOther;
}

export function registerLanguage(port: LanguagePort, parts: LanguageParts): Language {
  const { analyst, documents, stored, severities, after } = parts;
  const analyses = new Analyses(analyst);
  const counts = new SiteCounts();
  const sites: SiteParts = { analyst, analyses, stored, counts };
  const diagnostics = new Diagnostics({
    analyses,
    stored,
    counts,
    severities,
    after,
    now: () => performance.now(),
    publish: (params) => {
      void port.sendDiagnostics(params);
    },
  });
  listen(parts, analyses, diagnostics);
  const answer = answering(documents);
  port.onCompletion(
    answer<CompletionList>(({ document, params, signal }) =>
      complete(parts, document, params.position, signal),
    ),
  );
  port.onCodeAction(
    answer<CodeAction[], CodeActionParams>(({ document, params, signal }) =>
      codeActions(
        { ...sites, severities },
        { document, range: params.range, context: params.context, signal },
      ),
    ),
  );
  port.onCodeLens(
    answer<CodeLens[], DocumentParams>(async ({ document, signal }) =>
      (
        await Promise.all([queryLenses(analyst, document, signal), siteLenses(sites, document)])
      ).flat(),
    ),
  );
  port.languages.inlayHint.on(
    answer<InlayHint[], RangeParams>(({ document, params }) =>
      siteHints(sites, document, params.range),
    ),
  );
  registerQueryFeatures(port, analyst, documents);
  return {
    settingsChanged: () => {
      diagnostics.again();
    },
    hover: (document, position, signal) => hoverSite(sites, document, position, signal),
  };
}

function listen(
  { documents, analyst, stored, refresh }: LanguageParts,
  analyses: Analyses,
  diagnostics: Diagnostics,
): void {
  documents.onDidChangeContent(({ document }) => {
    analyst.changed(document);
    diagnostics.changed(document);
  });
  documents.onDidClose(({ document }) => {
    diagnostics.closed(document.uri);
    stored.forget(document.uri);
  });
  stored.onChanged(() => {
    if (analyst.know(stored.customResources)) analyses.again();
    refresh();
    diagnostics.again();
  });
}

function registerQueryFeatures(
  port: LanguagePort,
  analyst: Analyst,
  documents: OpenDocuments,
): void {
  const answer = answering(documents);
  port.onDocumentSymbol(
    answer(({ document, signal }) => documentSymbols(analyst, document, signal)),
  );
  port.onFoldingRanges(answer(({ document, signal }) => foldingRanges(analyst, document, signal)));
  port.onDocumentFormatting(
    answer(({ document, signal }) => formatting(analyst, document, signal)),
  );
  port.languages.semanticTokens.on(
    answer(({ document, signal }) => semanticTokens(analyst, document, signal)),
  );
}

type Handler = Parameters<LanguagePort['onCompletion']>[0];
type CompletionPlace = Parameters<Handler>[0];
type CodeActionParams = Parameters<Parameters<LanguagePort['onCodeAction']>[0]>[0];
type DocumentParams = Parameters<Parameters<LanguagePort['onCodeLens']>[0]>[0];
type RangeParams = Parameters<Parameters<LanguagePort['languages']['inlayHint']['on']>[0]>[0];

interface Asked<P> {
  readonly document: TextDocument;
  readonly params: P;
  readonly signal: AbortSignal;
}

/** Null for a document that was not handed over; the signal aborts when the editor cancels. */
function answering(documents: OpenDocuments) {
  return <R, P extends DocumentParams = CompletionPlace>(work: (asked: Asked<P>) => Promise<R>) =>
    async (params: P, token: CancellationToken): Promise<R | null> => {
      const document = documents.get(params.textDocument.uri);
      if (document === undefined) return null;
      const stop = new AbortController();
      if (token.isCancellationRequested) stop.abort();
      const listening = token.onCancellationRequested(() => {
        stop.abort();
      });
      try {
        return await work({ document, params, signal: stop.signal });
      } finally {
        listening.dispose();
      }
    };
}
