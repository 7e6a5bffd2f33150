const form = /^(\d{3})\/(\d{4}(?:-[\dX])?)\/(\d{1,13}-[\dX])$/;

/** Returns a Brazilian bank account as `bank/branch/account`, each with its check digit after a hyphen: the branch may have none. */
export function canonicalBankAccount(text: string): string | undefined {
  const account = text.toUpperCase();
  return form.test(account) ? account : undefined;
}
