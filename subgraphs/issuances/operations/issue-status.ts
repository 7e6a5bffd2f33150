import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';

/** The labels that operators publish for each status of an operation or a series, in any gender, number and case. */
const published = {
  STRUCTURING: ['Em estruturação', 'Em registro'],
  OFFERED: ['Em distribuição', 'Em oferta', 'Em oferta pública', 'Em captação', 'Em colocação'],
  ACTIVE: ['Ativa', 'Em andamento', 'Em curso', 'Em vigor', 'Vigente', 'Adimplente', 'Em dia'],
  DEFAULTED: ['Inadimplente', 'Em inadimplência', 'Em atraso'],
  ACCELERATED: ['Vencida antecipadamente', 'Em vencimento antecipado', 'Vencimento antecipado'],
  ENDED: ['Encerrada', 'Resgatada', 'Liquidada', 'Quitada', 'Vencida'],
  CANCELLED: ['Cancelada'],
} as const;

export type IssueStatus = keyof typeof published | 'OTHER';

const statusByLabel = new Map<string, IssueStatus>(
  Object.entries(published).flatMap(([status, labels]) =>
    labels.map((label) => [withoutGender(label), status as keyof typeof published] as const),
  ),
);

/** Returns the status that a published label means, without regard to case, accents, gender and number; OTHER for an unknown one. */
export function issueStatusOf(label: string): IssueStatus {
  return statusByLabel.get(withoutGender(label)) ?? 'OTHER';
}

/** Makes `Resgatados` and `Resgatada` the same text. */
function withoutGender(label: string): string {
  return normalizeText(label).replace(/[aeo]s?\b/g, 'a');
}
