import type { Random } from '../../../shared/demo/random.js';
import type { Project } from './projects.js';
import type { DemoSeries } from './series.js';

/** What the parts of an operation are made from. */
export interface OperationTask {
  readonly random: Random;
  readonly today: string;
  readonly project: Project;
  /** Its place among the operations: what is only sometimes there depends on it. */
  readonly at: number;
  readonly series: readonly DemoSeries[];
}

export type Json = Readonly<Record<string, unknown>>;

const trustees = ['Vigília DTVM Ltda.', 'Guardiã Trustee DTVM S.A.', 'Farol Fiduciário Ltda.'];
const coordinators = ['Banco Horizonte S.A.', 'Corretora Meridiano S.A.', 'Banco Travessia S.A.'];

/** The trustee of an operation by its place. */
export function trusteeOf(at: number): string {
  return trustees[at % trustees.length] ?? '';
}

/** The lead coordinator of an operation by its place. */
export function coordinatorOf(at: number): string {
  return coordinators[at % coordinators.length] ?? '';
}
