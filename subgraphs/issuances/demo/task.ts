import type { Random } from '../../../shared/kernel/random.js';
import type { Project } from './projects.js';
import type { DemoSeries } from './series.js';

export interface OperationTask {
  readonly random: Random;
  readonly today: string;
  readonly project: Project;
  /** Index among the operations; some data occurs only at certain indices. */
  readonly at: number;
  readonly series: readonly DemoSeries[];
}

export type Json = Readonly<Record<string, unknown>>;

const trustees = ['Vigília DTVM Ltda.', 'Guardiã Trustee DTVM S.A.', 'Farol Fiduciário Ltda.'];
const coordinators = ['Banco Horizonte S.A.', 'Corretora Meridiano S.A.', 'Banco Travessia S.A.'];

export function trusteeOf(at: number): string {
  return trustees[at % trustees.length] ?? '';
}

export function coordinatorOf(at: number): string {
  return coordinators[at % coordinators.length] ?? '';
}
