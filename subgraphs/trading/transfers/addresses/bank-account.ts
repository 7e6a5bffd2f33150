const form = /^(\d{3}\/\d{4})(-[\dX])?\/0*(\d{1,13}-[\dX])$/;

/**
 * Returns a Brazilian bank account as `bank/branch/account`, each with its check digit after a hyphen, the account without zeros in front: the branch may have no
 * check digit.
 */
export function canonicalBankAccount(text: string): string | undefined {
  const [, branch, digit = '', account] = form.exec(text.toUpperCase()) ?? [];
  return account === undefined || text.length > 30 ? undefined : `${branch}${digit}/${account}`;
}

/** Returns all spellings of one account, in canonical form: with and without the check digit of its branch. */
export function spellingsOf(account: string): string[] {
  const [, branch, , rest] = form.exec(account) ?? [];
  return branch === undefined
    ? [account]
    : ['', '-X', ...Array.from({ length: 10 }, (_none, digit) => `-${digit}`)].map(
        (digit) => `${branch}${digit}/${rest}`,
      );
}
