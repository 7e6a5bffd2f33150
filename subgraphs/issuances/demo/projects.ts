import type { RiskClass } from '../../securities/risk-class.js';
import { portfolioNames, sharedPortfolios, type SharedPortfolio } from '../../securities/demo/credits.js';
import type { OperationType } from '../operations/operation.js';

/** Theme of a demo operation. Names are invented; any likeness to a real issue is chance. */
export interface Project {
  readonly type: OperationType;
  readonly ticker: string;
  readonly slug: string;
  readonly name: string;
  readonly segment: string;
  readonly backing: string;
  readonly useOfProceeds: string;
  /** Number of contracts; more than 5,000 exceeds the default inventory threshold. */
  readonly contracts: number;
  /** Volume issued, in millions of reais. */
  readonly millions: number;
  readonly status: string;
  readonly classes: readonly RiskClass[];
  readonly public: boolean;
  /** The credits shared with the estate that backs it; null if its credits exist only here. */
  readonly portfolio: SharedPortfolio | null;
}

type Row = readonly [
  ticker: string,
  name: string,
  segment: string,
  backing: string,
  contracts: number,
  millions: number,
  classes: string,
  status?: string,
];

const active = 'Em andamento';

const rows: Readonly<Record<Project['type'], { readonly proceeds: string; readonly rows: readonly Row[] }>> = {
  CRI: {
    proceeds: 'Desenvolvimento e aquisição de imóveis dos empreendimentos descritos no termo de securitização.',
    rows: [
      [
        'CRI-AURORA',
        'CRI Residencial Aurora',
        'Residencial',
        'Contratos de compra e venda de unidades',
        sharedPortfolios.AURORA.count,
        20,
        'S M J',
      ],
      [
        'CRI-VALEVERDE',
        'CRI Loteamento Vale Verde',
        'Loteamento',
        'Contratos de compra e venda de lotes',
        sharedPortfolios.VALEVERDE.count,
        18,
        'S J',
      ],
      ['CRI-GALPAO', 'CRI Galpões do Anel', 'Logístico', 'Contratos de locação atípica', 30, 310, 'U'],
      ['CRI-SERRAAZUL', 'CRI Shopping Serra Azul', 'Shopping', 'Contratos de locação de lojas', 96, 215, 'S J'],
      ['CRI-FAROL', 'CRI Edifício Farol', 'Corporativo', 'Contratos de locação', 42, 128, 'U'],
      ['CRI-IPES', 'CRI Vila dos Ipês', 'Residencial', 'Contratos de compra e venda de unidades', 260, 74, 'S M J'],
      [
        'CRI-HORIZONTE',
        'CRI Crédito com Imóvel Horizonte',
        'Home equity',
        'Cédulas de crédito imobiliário',
        5400,
        480,
        'S M J',
      ],
      [
        'CRI-PALMEIRAS',
        'CRI Parque das Palmeiras',
        'Multipropriedade',
        'Contratos de frações imobiliárias',
        640,
        58,
        'S J',
      ],
      ['CRI-CLINICAS', 'CRI Clínicas Integradas', 'Saúde', 'Contratos de locação', 55, 86, 'U'],
      [
        'CRI-RESERVA',
        'CRI Reserva do Bosque',
        'Residencial',
        'Contratos de compra e venda de unidades',
        120,
        66,
        'S J',
        'Em estruturação',
      ],
    ],
  },
  CRA: {
    proceeds: 'Custeio e comercialização da produção agropecuária das devedoras.',
    rows: [
      ['CRA-CERRADO', 'CRA Grãos do Cerrado', 'Grãos', 'Cédulas de produto rural financeiras', 210, 265, 'S M J'],
      [
        'CRA-MOGIANA',
        'CRA Café Alta Colina',
        'Café',
        'Certificados de direitos creditórios do agronegócio',
        sharedPortfolios.MOGIANA.count,
        180,
        'S J',
      ],
      ['CRA-USINA', 'CRA Usina Três Barras', 'Açúcar e etanol', 'Contratos de fornecimento de cana', 60, 340, 'U'],
      ['CRA-INSUMOS', 'CRA Insumos Norte', 'Insumos', 'Duplicatas de venda de insumos', 450, 150, 'S M J'],
      ['CRA-ALGODAO', 'CRA Algodão Claro', 'Fibras', 'Cédulas de produto rural financeiras', 80, 112, 'S J'],
      [
        'CRA-CITRUS',
        'CRA Citros Pomar Alto',
        'Citricultura',
        'Contratos de compra e venda de laranja',
        sharedPortfolios.CITRUS.count,
        84,
        'U',
        'Inadimplente',
      ],
    ],
  },
  CR: {
    proceeds: 'Aquisição dos direitos creditórios que lastreiam a emissão.',
    rows: [
      [
        'CR-CONSIGNA',
        'CR Consignado Servidor',
        'Consignado',
        'Cédulas de crédito bancário consignadas',
        sharedPortfolios.CONSIGNA.count,
        27,
        'S M J',
      ],
      [
        'CR-EDUCA',
        'CR Mensalidades Saber',
        'Educação',
        'Contratos de prestação de serviços educacionais',
        sharedPortfolios.EDUCA.count,
        9,
        'S J',
      ],
      ['CR-SOLAR', 'CR Telhado Solar', 'Energia', 'Financiamentos de geração distribuída', 300, 80, 'S J'],
      ['CR-VAREJO', 'CR Cartão do Bairro', 'Varejo', 'Recebíveis de cartão', 160, 60, 'S M J'],
      ['CR-SAUDE', 'CR Saúde Sempre', 'Saúde', 'Contratos de planos coletivos', 110, 70, 'U'],
    ],
  },
  DEB: {
    proceeds: 'Investimentos na concessão e reforço de capital de giro da emissora.',
    rows: [
      [
        'DEB-RODOVIA',
        'Debêntures Rodovias do Planalto',
        'Infraestrutura',
        'Receitas de pedágio',
        sharedPortfolios.RODOVIA.count,
        220,
        'U',
      ],
      ['DEB-AGUAS', 'Debêntures Águas do Litoral Claro', 'Saneamento', 'Contas de consumo de água', 130, 420, 'S J'],
      ['DEB-LINHAS', 'Debêntures Linhas da Chapada', 'Transmissão', 'Receita anual permitida', 36, 510, 'U'],
      ['DEB-PORTO', 'Debêntures Porto Enseada Clara', 'Logística', 'Contratos de movimentação de carga', 52, 275, 'U'],
      ['DEB-FIBRA', 'Debêntures Fibra Clara', 'Telecomunicações', 'Assinaturas de banda larga', 250, 88, 'S J'],
    ],
  },
};

const classOf = { S: 'SENIOR', M: 'MEZZANINE', J: 'JUNIOR', U: 'UNIQUE' } as const;

/** The one operation that is not public. */
const hidden = 'CRI-RESERVA';

export const projects: readonly Project[] = (['CRI', 'CRA', 'CR', 'DEB'] as const).flatMap((type) =>
  rows[type].rows.map(([ticker, name, segment, backing, contracts, millions, classes, status = active]) => ({
    type,
    ticker,
    slug: slugOf(name),
    name,
    segment,
    backing,
    useOfProceeds: rows[type].proceeds,
    contracts,
    millions,
    status,
    classes: (classes.split(' ') as (keyof typeof classOf)[]).map((letter) => classOf[letter]),
    public: ticker !== hidden,
    portfolio: portfolioOf(ticker),
  })),
);

/** Returns `AURORA` for `CRI-AURORA`, if there is such a portfolio. */
function portfolioOf(ticker: string): SharedPortfolio | null {
  const name = ticker.slice(ticker.indexOf('-') + 1);
  return portfolioNames.find((one) => one === name) ?? null;
}

function slugOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-');
}
