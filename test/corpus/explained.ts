/** Reports that are known to be true, each with the reason; any other is a fault, here or there. */
import type { PlacedFinding } from '../../server/cli/lint/report';

/** As `explained.json` holds them. */
export interface Explained {
  readonly module: string;
  readonly path: string;
  /** From 1 on. */
  readonly line: number;
  readonly code: string;
  readonly why: string;
}

export interface ModuleReport {
  readonly module: string;
  readonly report: PlacedFinding;
}

export interface Judged {
  readonly true: readonly (ModuleReport & { readonly why: string })[];
  readonly unexplained: readonly ModuleReport[];
  /** Explained, and not reported. */
  readonly missing: readonly Explained[];
}

/** Each explanation covers one report. Those about other modules than were gone over are left out. */
export function judge(
  reports: readonly ModuleReport[],
  explained: readonly Explained[],
  modules: readonly string[],
): Judged {
  const left = explained.filter(({ module }) => modules.includes(module));
  const known: (ModuleReport & { why: string })[] = [];
  const unexplained: ModuleReport[] = [];
  for (const each of reports) {
    const index = left.findIndex((one) => isAbout(one, each));
    const [found] = index < 0 ? [] : left.splice(index, 1);
    if (found === undefined) unexplained.push(each);
    else known.push({ ...each, why: found.why });
  }
  return { true: known, unexplained, missing: left };
}

function isAbout(one: Explained, { module, report }: ModuleReport): boolean {
  return (
    one.module === module &&
    one.path === report.file &&
    one.line === report.start.line &&
    one.code === report.code
  );
}
