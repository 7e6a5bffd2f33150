import type { Principal } from '../../../shared/kernel/context.js';
import { maskDocument, replaceCpfs } from '../../../shared/kernel/tax-id.js';
import type { AssetRow } from './asset.store.js';
import { mayKnow, isNaturalPerson } from './debtor-name.js';
import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';

type Debtor = Pick<AssetRow, 'debtorDocument'>;

/** Only who may know the debtor sees a tax id in it whole. @param current the present version of the asset, whose tax id may have been corrected */
export function originatorTextFor(
  principal: Principal,
  text: string,
  asset: Debtor & Pick<AssetRow, 'originatorId'>,
  current: Debtor | undefined,
): string {
  if (mayKnow(principal, asset.originatorId)) return text;
  return maskTaxIdsIn(current === undefined ? text : maskTaxIdsIn(text, current), asset);
}

/** Returns a text in which tax ids show their last digits: the debtor's own wherever it is, and any other CPF with no digit beside it. */
export function maskTaxIdsIn(text: string, debtor: Debtor): string {
  return replaceTaxIds(text, debtor, maskDocument);
}

function withoutTaxIds(text: string, debtor: Debtor): string {
  return replaceTaxIds(text, debtor, () => ' ');
}

function replaceTaxIds(given: string, { debtorDocument }: Debtor, replacement: (taxId: string) => string): string {
  const text = inDigits(given);
  const own = debtorDocument === '' || !mayHold(text, debtorDocument) ? undefined : ownTaxId(debtorDocument);
  const rest =
    own === undefined
      ? text
      : text.replace(own, (found) =>
          replacement(
            bare(found).length === debtorDocument.length ? debtorDocument : '*'.repeat(debtorDocument.length),
          ),
        );
  const replaced = replaceCpfs(rest, replacement);
  return replaced === text ? given : replaced;
}

/** Returns a text with the digits of all scripts and styles as 0 to 9, as readers of them read it. */
function inDigits(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)));
}

/** Returns the value of a digit: the digits of a script follow each other from zero on. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/** Fewer digits are too common to be masked wherever they are. */
const shortest = 6;

const bare = (text: string) => text.replace(/[^0-9a-z]/giu, '');

/** Whether `ownTaxId` may find something: its shortest forms are looked for first, since making the pattern costs more than all else and few texts hold one. */
function mayHold(text: string, taxId: string): boolean {
  const within = bare(text).toLowerCase();
  const roots = rootsOf(taxId);
  const root = Array.from(taxId.slice(0, roots[0]));
  return [
    root.slice(zerosInFront(root)).join(''),
    ...(taxId.length === 11 ? [taxId.slice(0, 7)] : []),
    ...[...roots, taxId.length].flatMap((length) => hexadecimalOf(taxId.slice(0, length))),
  ].some((form) => within.includes(form.toLowerCase()));
}

/** How many characters of a tax id determine the rest. */
const rootsOf = (taxId: string) => (taxId.length === 11 ? [9] : [8, 12]);

/**
 * Returns the pattern of a debtor's tax id within a text, whole or only the part that determines the rest (the nine digits before the check digits of a CPF, the root of
 * eight or twelve characters of a CNPJ). Between two characters there may be anything but digits and letters, and any character may be in hexadecimal. Spreadsheets drop
 * leading zeros, which may be missing. Seven digits of a CPF are enough: its last four are shown beside them.
 */
function ownTaxId(taxId: string): RegExp {
  const roots = rootsOf(taxId);
  const between = '[^0-9a-z]*';
  // A tax id has only digits and letters, none with a meaning in a pattern.
  const characters = Array.from(taxId);
  const parts = [0, ...roots].map((from, at) => characters.slice(from, roots[at]));
  const zeros = zerosInFront(parts[0] ?? []);
  const [root = '', ...tails] = parts.map((part, at) => part.slice(at === 0 ? zeros : 0).join(between));
  const tail = tails.reduceRight((inner, part) => `(?:${between}${part}${inner})?`, '');
  const hexadecimal = [...roots, taxId.length].flatMap((length) => hexadecimalOf(taxId.slice(0, length)));
  const most = taxId.length === 11 ? [9, 8, 7].map((length) => characters.slice(0, length).join(between)) : [];
  return new RegExp(
    [`(?:0${between}){0,${String(zeros)}}${root}${tail}`, ...hexadecimal.toReversed(), ...most].join('|'),
    'giu',
  );
}

/** Returns how many zeros in front of a root may be missing: none where too little would be left to stand for it. */
function zerosInFront(root: readonly string[]): number {
  const zeros = root.findIndex((character) => character !== '0');
  return root.length - zeros < shortest ? 0 : Math.max(zeros, 0);
}

/** A number with many zeros in front is too short in hexadecimal to stand for it. */
function hexadecimalOf(part: string): string[] {
  const digits = /^[0-9]+$/.test(part) ? BigInt(part).toString(16) : '';
  return digits.length < shortest ? [] : [digits];
}

/** Joins the external id and, without tax ids both, the name of a debtor that is a legal person. Every statement that writes one of them also writes this. */
export function assetSearchText(asset: Pick<AssetRow, 'externalId' | 'debtorName' | 'debtorDocument'>): string {
  const externalId = withoutTaxIds(asset.externalId, asset);
  return normalizeText(isNaturalPerson(asset) ? externalId : `${externalId} ${withoutTaxIds(asset.debtorName, asset)}`);
}
