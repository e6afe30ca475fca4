/** Plays a plan: one cluster, step by step. */
import type { Referee } from './match';
import type { Outcome } from './outcome';
import { Place } from './place';
import type { ClusterPlan, ListPlan } from './plans/plan';

/** One cluster of a plan, below a root that nothing else uses. */
export class Cluster {
  private begun = 0;

  constructor(
    private readonly referee: Referee,
    private readonly plan: ClusterPlan,
    private readonly name: string,
    /** Told after every list; true ends the play. */
    private readonly enough: () => boolean = () => false,
  ) {}

  /** The plan without the steps that were not begun. */
  soFar(): ClusterPlan {
    return { ...this.plan, steps: this.plan.steps.slice(0, this.begun) };
  }

  async play(): Promise<void> {
    const { writes, steps } = this.plan;
    const place = await Place.found(this.referee.oracle, this.plan, this.name, [writes]);
    for (const step of steps) {
      if (this.enough()) return;
      this.begun++;
      if (step.kind === 'write') await place.write([step.write]);
      else if (step.kind === 'compact') await place.compact(step.share);
      else if (step.meanwhile.length > 0) await this.twins(step, place);
      else if (step.disturb > 0) await this.compacted(step, place);
      else await this.list(step, place);
    }
    await place.erase();
  }

  /** Each side lists a copy of its own, which is written to meanwhile. */
  private async twins(step: ListPlan, place: Place): Promise<void> {
    const twins: Place[] = [];
    const found = async (side: string): Promise<Place> => {
      const name = `${this.name}x${String(this.begun)}${side}`;
      const twin = await Place.found(this.referee.oracle, this.plan, name, place.history);
      twin.adoptTokens(place);
      twins.push(twin);
      return twin;
    };
    await this.referee.compareTwins(step, found, this.enough);
    for (const twin of twins) await twin.erase();
  }

  private async compacted(step: ListPlan, place: Place): Promise<void> {
    await this.referee.compare(place.compacted(step));
    await place.lookAtHead();
  }

  private async list(step: ListPlan, place: Place): Promise<void> {
    let { ask, outcome } = await this.referee.compare(place.ask(step));
    keep(place, outcome);
    for (let page = 0; page < step.follow && outcome.continue !== ''; page++) {
      if (this.enough()) return;
      ask = { ...ask, resourceVersion: '', match: '', continue: outcome.continue };
      ({ outcome } = await this.referee.compare(ask));
      keep(place, outcome);
    }
  }
}

function keep({ tokens }: Place, { continue: token, error }: Outcome): void {
  if (token !== '') tokens.push(token);
  if (error !== null && error.continue !== '') tokens.push(error.continue);
}
