/** The types of `k8s.io/api` as its own files tell them, without running anything of it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const oracle = resolve(import.meta.dirname, '../../../oracle');

/** Where the release lies that the oracle pins, fetched where it is not there yet; undefined without Go. */
export function apiModule(): string | undefined {
  const asked = spawnSync('go', ['mod', 'download', '-json', 'k8s.io/api'], {
    cwd: oracle,
    encoding: 'utf8',
    env: { ...process.env, GOWORK: 'off' },
  });
  if (asked.error !== undefined || asked.status !== 0) return undefined;
  const { Dir } = JSON.parse(asked.stdout) as { readonly Dir?: string };
  return Dir !== undefined && existsSync(Dir) ? Dir : undefined;
}

export interface Field {
  /** As JSON has it. */
  readonly name: string;
  /** Such as `string`, `map<string,string>` or `k8s.io.api.core.v1.PodSpec`. */
  readonly type: string;
  readonly isList: boolean;
}

export interface Kind {
  /** `core` for the empty group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: string;
}

export const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';

export class GoTypes {
  /** Fields as they stand in `generated.proto`, by the message's whole name. */
  private readonly messages = new Map<string, readonly Field[]>();
  /** Names in JSON by message and name in protobuf; empty for what stands in the message around it. */
  private readonly jsonNames = new Map<string, string>();
  /** Types that have their kind in themselves. */
  private readonly typed = new Set<string>();
  readonly kinds: readonly Kind[];

  constructor(dir: string) {
    const kinds: Kind[] = [];
    for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('generated.proto')) continue;
      const folder = join(dir, file, '..');
      const proto = readFileSync(join(dir, file), 'utf8');
      const name = /^package ([\w.]+);$/m.exec(proto)?.[1] ?? '';
      this.readGo(folder, name);
      const types = this.readProto(proto, name);
      const group = groupOf(folder);
      const version = name.slice(name.lastIndexOf('.') + 1);
      for (const type of types.filter((each) => this.isKind(each))) {
        kinds.push({ group, version, kind: type.slice(name.length + 1), type });
      }
    }
    this.kinds = kinds;
  }

  /** As JSON has them: those of embedded types among them. */
  fields(type: string): Field[] {
    return (this.messages.get(type) ?? []).flatMap((field) => {
      const name = this.jsonNames.get(`${type} ${field.name}`) ?? field.name;
      return name === '' ? this.fields(field.type) : [{ ...field, name }];
    });
  }

  private isKind(type: string): boolean {
    const isObject = this.fields(type).some(
      (field) => field.name === 'metadata' && field.type === `${META}.ObjectMeta`,
    );
    return isObject && this.typed.has(type);
  }

  private readProto(proto: string, name: string): string[] {
    const plain = proto.replace(/\/\/.*/g, '');
    return [...plain.matchAll(/\bmessage (\w+) \{([^}]*)\}/g)].map(
      ([, message = '', body = '']) => {
        const type = `${name}.${message}`;
        const lines = body.matchAll(/(optional|repeated)?\s*(map<[^>]*>|[.\w]+) (\w+) = \d+;/g);
        const fields = [...lines].map(([, rule, of = '', field = '']) => ({
          name: field,
          type: wholeName(of.replaceAll(' ', ''), name),
          isList: rule === 'repeated',
        }));
        this.messages.set(type, fields);
        return type;
      },
    );
  }

  private readGo(folder: string, name: string): void {
    for (const file of readdirSync(folder).filter((each) => /^types.*\.go$/.test(each))) {
      const source = readFileSync(join(folder, file), 'utf8');
      for (const [, struct = '', body = ''] of source.matchAll(
        /^type (\w+) struct \{\n([^]*?)^\}/gm,
      )) {
        if (/^\tmetav1\.TypeMeta\s/m.test(body)) this.typed.add(`${name}.${struct}`);
        const tags = body.matchAll(/`json:"([^",]*)(,inline)?[^`]*protobuf:"[^"]*\bname=(\w+)/g);
        for (const [, json = '', inline, proto = ''] of tags) {
          const isEmbedded = json === '' && inline !== undefined;
          this.jsonNames.set(`${name}.${struct} ${proto}`, isEmbedded ? '' : json);
        }
      }
    }
  }
}

function wholeName(type: string, name: string): string {
  if (type.startsWith('.')) return type.slice(1);
  return /^[A-Z]/.test(type) ? `${name}.${type}` : type;
}

function groupOf(folder: string): string {
  const source = readFileSync(join(folder, 'register.go'), 'utf8');
  const group = /GroupName\s*=\s*"([^"]*)"/.exec(source)?.[1] ?? '';
  return group === '' ? 'core' : group;
}
