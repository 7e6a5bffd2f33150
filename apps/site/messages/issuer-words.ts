/** English for the Portuguese terms that deeds usually have. Other texts of issuers stay as they are. */
const words: Readonly<Record<string, string>> = {
  juros: 'Interest',
  amortização: 'Amortization',
  'juros e amortização': 'Interest and amortization',
  'amortização extraordinária': 'Extraordinary amortization',
  'resgate final': 'Final redemption',
  'resgate antecipado': 'Early redemption',
  prêmio: 'Premium',
  'incorporação de juros': 'Capitalization of interest',
  emissora: 'Issuer',
  'agente fiduciário': 'Trustee',
  'instituição custodiante': 'Custodian',
  custodiante: 'Custodian',
  'coordenador líder': 'Lead coordinator',
  escriturador: 'Bookkeeper',
  auditor: 'Auditor',
  distribuidora: 'Distributor',
  devedora: 'Debtor',
  cedente: 'Originator',
  originadora: 'Originator',
  securitizadora: 'Securitization company',
  servicer: 'Servicer',
  'agente de cobrança': 'Collection agent',
  'alienação fiduciária': 'Fiduciary transfer',
  'alienação fiduciária de imóvel': 'Fiduciary transfer of real estate',
  'cessão fiduciária': 'Fiduciary assignment',
  'cessão fiduciária de recebíveis': 'Fiduciary assignment of receivables',
  fiança: 'Surety',
  aval: 'Endorsement guarantee',
  hipoteca: 'Mortgage',
  penhor: 'Pledge',
  'fundo de reserva': 'Reserve fund',
  constituída: 'Perfected',
  'em constituição': 'Being perfected',
  relatório: 'Report',
  termo: 'Deed',
  contrato: 'Contract',
  laudo: 'Appraisal',
  ata: 'Minutes',
  convocação: 'Call',
  'assembleia geral de titulares': 'General meeting of holders',
  realizada: 'Held',
  convocada: 'Called',
  cancelada: 'Cancelled',
  pulverizado: 'Diversified',
  concentrado: 'Concentrated',
  tokenizado: 'Tokenized',
  agronegócio: 'Agribusiness',
  imobiliário: 'Real estate',
  'a vencer': 'Not due',
  ativo: 'Active',
  liquidado: 'Settled',
  inadimplente: 'Defaulted',
  baixado: 'Written off',
};

/** A number as it is written in Portuguese, with its currency, or behind the index to which it is added. */
const number = String.raw`(?:R\$\s|\S+ [+-] )?-?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?%?`;
const inEnglish = (text: string) =>
  text
    .replace(/R\$\s/, 'R$')
    .replace('Dólar', 'US dollar')
    .replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));

const forms: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^até (\d+)%$/i, (bound = '') => `Up to ${bound}%`],
  [/^acima de (\d+)%$/i, (bound = '') => `Above ${bound}%`],
  [/^(\d+)ª$/, (number = '') => number],
  [/^(\d+)ª emissão, série única$/i, (number = '') => `Issue no. ${number}, single series`],
  [/^(\d+)ª emissão, (\d+) séries$/i, (number = '', series = '') => `Issue no. ${number}, ${series} series`],
  [/^([12])º semestre de (\d+)$/, (half = '', year = '') => `${half === '1' ? '1st' : '2nd'} half of ${year}`],
  [
    new RegExp(`^(${number})(?: a (${number}))?( a\\.a\\.)?$`),
    (from = '', to = '', yearly = '') =>
      `${inEnglish(from)}${to === '' ? '' : ` to ${inEnglish(to)}`}${yearly === '' ? '' : ' p.a.'}`,
  ],
];

/** Returns the English of what an issuer wrote in Portuguese; undefined for a text that is its own. */
export function englishOf(written: string): string | undefined {
  const known = words[written.trim().toLowerCase()];
  if (known !== undefined) return known;
  for (const [form, textOf] of forms) {
    const [found, ...parts] = form.exec(written.trim()) ?? [];
    if (found !== undefined) return textOf(...parts);
  }
  return /^[\d\s%+/-]*$/.test(written) ? written : undefined;
}
