// A JSON schema of Kubernetes' objects, out of its OpenAPI description. Strict: a field that is not
// described is wrong. Laid out in two files as yaml-language-server knows them from elsewhere.

const prefix = '#/definitions/';
const definitions = '_definitions.json';

/** What these hold is more than their description says. */
const special = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': ['string', 'number'],
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': ['string', 'integer'],
};

/** A field that may be left out may be null. */
const orNull = (schema) =>
  typeof schema.type === 'string' && schema.enum === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : schema;

function schemaOf({ properties, additionalProperties, items, ...rest }) {
  const schema = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !name.startsWith('x-kubernetes-')),
  );
  const required = new Set(rest.required);
  if (items !== undefined) schema.items = schemaOf(items);
  if (properties !== undefined) {
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const found = schemaOf(property);
        return [name, required.has(name) ? found : orNull(found)];
      }),
    );
    schema.additionalProperties = false;
  }
  if (additionalProperties !== undefined)
    schema.additionalProperties = schemaOf(additionalProperties);
  return schema;
}

/** An object of its own says what it is, in the words of its kind. */
function named(schema, kinds) {
  if (kinds?.length !== 1 || schema.properties?.kind === undefined) return schema;
  const [{ group, version, kind }] = kinds;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const { properties } = schema;
  return {
    ...schema,
    properties: {
      ...properties,
      apiVersion: { ...properties.apiVersion, type: 'string', enum: [apiVersion] },
      kind: { ...properties.kind, type: 'string', enum: [kind] },
    },
    required: [...new Set([...(schema.required ?? []), 'apiVersion', 'kind'])],
  };
}

/** By the names of the files. */
export function schemaFiles(swagger) {
  const entries = Object.entries(swagger.definitions).map(([name, description]) => {
    const kinds = description['x-kubernetes-group-version-kind'];
    const types = special[name];
    const schema = types ? { ...schemaOf(description), type: types } : schemaOf(description);
    return [name, named(schema, kinds), kinds];
  });
  const objects = entries.filter(
    ([, schema, kinds]) => kinds?.length === 1 && schema.properties?.kind !== undefined,
  );
  return {
    [definitions]: {
      definitions: Object.fromEntries(entries.map(([name, schema]) => [name, schema])),
    },
    'all.json': {
      oneOf: objects.map(([name]) => ({ $ref: `${definitions}${prefix}${name}` })),
    },
  };
}
