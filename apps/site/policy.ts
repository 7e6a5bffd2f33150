const shared =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Content-Security-Policy of a page: nothing from elsewhere, nothing written into the page, and no site may frame it. */
export const pagePolicy = `${shared}; frame-ancestors 'none'`;

/** That of a page which other sites may frame. */
export const framedPolicy = `${shared}; frame-ancestors *`;
