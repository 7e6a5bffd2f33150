import { addDays, addMonths, lastDayOf } from '../../../shared/kernel/calendar/days.js';
import type { Random } from '../../../shared/kernel/random.js';
import type { Project } from './projects.js';
import { coordinatorOf, trusteeOf, type Json, type OperationTask } from './task.js';

const files = 'https://documentos.lastro.example';

export function publications({ random, at, today, project }: OperationTask): Json {
  const guarantee = (type: string, description: string | null, status: string) => ({ type, description, status });
  return {
    guarantees: [
      guarantee(
        'Cessão fiduciária de direitos creditórios',
        `Carteira de ${project.contracts} contratos.`,
        'Constituída',
      ),
      guarantee(
        project.type === 'CRA' ? 'Penhor de safra' : 'Alienação fiduciária',
        null,
        at % 4 === 2 ? 'Em constituição' : 'Constituída',
      ),
      ...(at % 2 === 0 ? [guarantee('Fundo de reserva', 'Três vezes a parcela mensal.', 'Constituída')] : []),
    ],
    documents: documentsOf({ at, today, project }),
    obligations: obligationsOf(at, random, today),
    assemblies: assembliesOf(at, today),
    communications: communicationsOf(at, today, project),
    participants: participantsOf(at, project),
  };
}

function documentsOf({ at, today, project }: Pick<OperationTask, 'at' | 'today' | 'project'>): Json[] {
  const folder = `${files}/${project.slug}`;
  const monthly = [1, 2, 3].map((ago) => {
    const month = addMonths(today.slice(0, 7), -ago);
    return {
      public: true,
      name: `Relatório mensal ${month.slice(5)}/${month.slice(0, 4)}`,
      type: 'Relatório',
      url: `${folder}/relatorio-${month}.pdf`,
      referenceDate: lastDayOf(month),
      createdAt: `${addMonths(month, 1)}-01T09:00:00-03:00`,
    };
  });
  const deed = {
    public: true,
    name: 'Termo de securitização',
    type: 'Termo',
    url: `${folder}/termo.pdf`,
    referenceDate: null,
    createdAt: `${addDays(today, -700)}T12:00:00-03:00`,
  };
  const internal = {
    ...deed,
    public: false,
    name: 'Contrato de cessão',
    type: 'Contrato',
    url: `${folder}/interno/cessao.pdf`,
  };
  const appraisal = {
    ...deed,
    public: false,
    name: 'Laudo de avaliação',
    type: 'Laudo',
    url: `${folder}/interno/laudo.pdf`,
    referenceDate: addDays(today, -400),
  };
  // An operation with hardly any data.
  const bare = {
    externalId: 'sem-arquivo',
    public: true,
    name: null,
    type: null,
    url: null,
    createdAt: `${addDays(today, -300)}T10:00:00-03:00`,
  };
  return [
    deed,
    ...monthly,
    ...(at % 2 === 0 ? [internal] : []),
    ...(at % 3 === 1 ? [appraisal] : []),
    ...(at % 7 === 3 ? [bare] : []),
  ];
}

function obligationsOf(at: number, random: Random, today: string): Json[] {
  const owed = (title: string, periodicity: string, daysAgo: number, facts: Json) => ({
    title,
    periodicity,
    dueDate: addDays(today, -daysAgo),
    description: random.chance(50) ? `Conforme a escritura: ${title.toLowerCase()}.` : null,
    responsible: random.pick(['Devedora', 'Cedente', 'Securitizadora', null]),
    graceDays: 5,
    deliveredDate: null,
    waivedDate: null,
    ...facts,
  });
  return [
    owed('Relatório de cobrança', 'MONTHLY', 40, { deliveredDate: addDays(today, -41) }),
    owed('Demonstrações financeiras auditadas', 'ANNUAL', 120, { deliveredDate: addDays(today, -100) }),
    owed('Comprovação de seguro', 'SEMIANNUAL', 20, at % 4 === 3 ? {} : { deliveredDate: addDays(today, -22) }),
    owed('Verificação de índice de cobertura', 'QUARTERLY', 60, { waivedDate: addDays(today, -50) }),
    owed('Relatório de cobrança do mês', 'MONTHLY', -12, {}),
    owed('Registro da garantia em cartório', 'ONCE', -30, { graceDays: 0 }),
  ];
}

function assembliesOf(at: number, today: string): Json[] {
  const held = {
    date: addDays(today, -90),
    type: 'Assembleia geral de titulares',
    title: 'Aprovação das demonstrações financeiras do patrimônio separado',
    call: '1ª convocação',
    status: 'Realizada',
    agenda: 'Deliberar sobre as demonstrações financeiras do exercício.',
    resolution: 'Aprovadas por unanimidade dos presentes.',
    quorumPercent: '78.4',
    url: `${files}/atas/${at + 1}.pdf`,
  };
  const coming = {
    ...held,
    date: addDays(today, 21),
    title: 'Alteração de fluxo de amortização',
    call: null,
    status: 'Convocada',
    agenda: null,
    resolution: null,
    quorumPercent: null,
    url: null,
  };
  return at % 5 === 4 ? [] : [held, ...(at % 3 === 0 ? [coming] : [])];
}

function communicationsOf(at: number, today: string, { name, status }: Project): Json[] {
  const notice = {
    kind: 'NOTICE',
    date: addDays(today, -(5 + at)),
    title: 'Aviso de pagamento',
    description: `Informamos aos titulares do ${name} a data do próximo pagamento.`,
  };
  const fact = {
    kind: 'MATERIAL_FACT',
    date: addDays(today, -30),
    title: status === 'Inadimplente' ? 'Inadimplemento de parcela' : 'Alteração de agente de cobrança',
    description: null,
  };
  return at % 2 === 0 || status === 'Inadimplente' ? [notice, fact] : [notice];
}

function participantsOf(at: number, { type }: Project): Json[] {
  const logo = (file: string) => `https://www.lastro.example/logos/${file}.svg`;
  return [
    {
      name: type === 'DEB' ? 'Lastro Distribuidora Ltda.' : 'Lastro Securitizadora S.A.',
      logoUrl: logo('lastro'),
      functions: [type === 'DEB' ? 'Distribuidora' : 'Emissora'],
    },
    { name: trusteeOf(at), logoUrl: logo('trustee'), functions: ['Agente fiduciário', 'Instituição custodiante'] },
    { name: coordinatorOf(at), logoUrl: null, functions: ['Coordenador líder'] },
    { name: 'Cobrança Clara Serviços Ltda.', logoUrl: null, functions: [] },
  ];
}
