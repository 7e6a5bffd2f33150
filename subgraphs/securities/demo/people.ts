import { cnpjCheckDigits, cpfCheckDigits, formatDocument } from '../../../shared/kernel/tax-id.js';
import type { Random } from '../../../shared/kernel/random.js';

/** An invented debtor; the tax id is random, with correct check digits. */
export interface Debtor {
  readonly name: string;
  readonly document: string;
  readonly uf: string | null;
}

const firstNames =
  'Ana Beatriz Bruno Caio Camila Carla Cauã Clara Daniel Davi Débora Diego Eduarda Elisa Enzo Fábio Felipe Fernanda Gabriel Giovana Gustavo Heitor Helena Igor Inês Isabela João Joaquim Júlia Lara Larissa Leandro Letícia Lívia Lorenzo Lucas Luiza Marcelo Mariana Mateus Miguel Murilo Natália Nina Otávio Paulo Pedro Rafael Raquel Renata Rita Rodrigo Sara Sofia Taís Thiago Valentina Vicente Vitória Yasmin'.split(
    ' ',
  );
const surnames =
  'Abreu Almeida Amaral Araújo Azevedo Barbosa Barros Batista Borges Braga Brandão Cabral Camargo Campos Cardoso Carneiro Carvalho Castro Cavalcanti Coelho Cordeiro Correia Costa Cunha Dias Duarte Farias Fernandes Ferreira Figueiredo Fonseca Freitas Furtado Galvão Gomes Gonçalves Guimarães Leal Leite Lima Lopes Macedo Machado Magalhães Marques Martins Medeiros Mello Mendes Menezes Miranda Monteiro Moraes Moreira Moura Nascimento Neves Nogueira Nunes Oliveira Pacheco Paiva Peixoto Pereira Pinheiro Pinto Pires Queiroz Ramos Rezende Ribeiro Rocha Rodrigues Sales Santana Santos Silveira Siqueira Soares Sousa Tavares Teixeira Toledo Torres Vasconcelos Viana Vieira Xavier'.split(
    ' ',
  );
const trades = [
  'Comércio',
  'Agropecuária',
  'Transportes',
  'Indústria',
  'Serviços',
  'Alimentos',
  'Engenharia',
  'Energia',
];
const places = [
  'Alvorada',
  'Boa Esperança',
  'Campo Claro',
  'Duas Barras',
  'Flor da Serra',
  'Monte Belo',
  'Nova Aliança',
  'Pedra Lisa',
  'Rio Manso',
  'Três Ilhas',
];

// States weighted by their share of debtors; the last ones are so rare that some fall below the threshold for display.
const states =
  'SP SP SP SP SP SP SP MG MG MG RJ RJ RJ PR PR RS RS SC SC BA BA GO GO MT DF ES PE CE MS PA MA AM RO AC RR'.split(' ');
const letters = 'ABCDEFGHJKLMNPRSTVWXYZ';

export function person(random: Random): Debtor {
  const name = `${random.pick(firstNames)} ${random.pick(surnames)} ${random.pick(surnames)}`;
  const base = random.digits(9);
  return { name, document: formatDocument(base + cpfCheckDigits(base)), uf: stateOf(random) };
}

export function company(random: Random): Debtor {
  const name = `${random.pick(trades)} ${random.pick(places)} ${random.pick(['Ltda.', 'S.A.', 'Eireli'])}`;
  return { name, document: companyDocument(random), uf: stateOf(random) };
}

/** Returns a CNPJ; one in four has the alphanumeric form. */
export function companyDocument(random: Random): string {
  const root = random.chance(25)
    ? random.digits(2) + Array.from({ length: 3 }, () => random.pick(letters.split(''))).join('') + random.digits(3)
    : random.digits(8);
  const base = `${root}0001`;
  return formatDocument(base + cnpjCheckDigits(base));
}

function stateOf(random: Random): string | null {
  return random.chance(3) ? null : random.pick(states);
}
