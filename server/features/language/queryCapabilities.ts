/**
 * Outline, folding, colours and form of query files, offered for these alone: an editor that knows of a
 * formatter or of folds for YAML or JSON asks which one is meant, or does without its own, even where
 * ours would have nothing to say.
 */
import {
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  SemanticTokensRegistrationType,
  type ClientCapabilities,
  type Connection,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import { queryDocuments, queryLanguage } from '../../protocol/names';
import { semanticTokensLegend } from './queryFeatures';

const semanticTokens = { legend: semanticTokensLegend, full: true };

/** For an editor that cannot be told later, which then has to ask about every document. */
const forAll: ServerCapabilities = {
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  documentFormattingProvider: true,
  semanticTokensProvider: semanticTokens,
};

function canBeToldLater(client: ClientCapabilities | undefined): boolean {
  const { documentSymbol, foldingRange, formatting, ...others } = client?.textDocument ?? {};
  const tokens = others.semanticTokens;
  return [documentSymbol, foldingRange, formatting, tokens].every(
    (each) => each?.dynamicRegistration === true,
  );
}

export interface QueryCapabilities {
  /** What is said at once. */
  readonly stated: ServerCapabilities;
  /** To be called when the editor is initialized. */
  readonly offer: () => void;
}

export function queryCapabilities(
  client: ClientCapabilities | undefined,
  connection: Pick<Connection, 'client'>,
): QueryCapabilities {
  if (!canBeToldLater(client)) return { stated: forAll, offer: () => undefined };
  return {
    stated: {},
    offer: () => {
      const documentSelector = [...queryDocuments];
      const ownLanguage = [{ language: queryLanguage }];
      const told = [
        connection.client.register(DocumentSymbolRequest.type, { documentSelector }),
        connection.client.register(FoldingRangeRequest.type, { documentSelector }),
        // YAML has formatters of its own.
        connection.client.register(DocumentFormattingRequest.type, {
          documentSelector: ownLanguage,
        }),
        connection.client.register(SemanticTokensRegistrationType.type, {
          documentSelector,
          ...semanticTokens,
        }),
      ];
      // An editor that goes meanwhile needs none of it.
      for (const each of told) each.catch(() => undefined);
    },
  };
}
