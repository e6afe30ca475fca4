type Schema = Readonly<Record<string, unknown>>;
export function schemaFiles(swagger: {
  readonly definitions: Readonly<Record<string, Schema>>;
}): Record<string, { readonly oneOf?: Schema[]; readonly definitions?: Record<string, Schema> }>;
