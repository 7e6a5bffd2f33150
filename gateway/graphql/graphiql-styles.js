// Lets the editor of queries write its styles under a Content-Security-Policy without 'unsafe-inline': style elements get the nonce of this script, and
// style attributes in HTML that the editor inserts are set by way of the object model, which the policy permits.
(() => {
  const { nonce } = document.currentScript;

  const { createElement } = Document.prototype;
  Document.prototype.createElement = function (name, ...options) {
    const element = createElement.call(this, name, ...options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };

  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style') this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };

  /** A start tag: what stands in quotes may contain anything, also what looks like the end of the tag. */
  const startTag = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
  const attribute = /\sstyle=("[^"]*"|'[^']*')/i;
  /** Returns the HTML with style attributes under a name that the policy does not know. */
  const renamed = (html) => html.replace(startTag, (tag) => tag.replace(attribute, ' data-inserted-style=$1'));

  /** Applies the style attributes that were renamed to an element and what is below it. */
  const apply = (root) => {
    for (const element of root.querySelectorAll('[data-inserted-style]')) {
      element.style.cssText = element.dataset.insertedStyle;
      element.removeAttribute('data-inserted-style');
    }
  };

  const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...innerHtml,
    set(html) {
      innerHtml.set.call(this, renamed(String(html)));
      apply(this);
    },
  });

  const { insertAdjacentHTML } = Element.prototype;
  Element.prototype.insertAdjacentHTML = function (where, html) {
    insertAdjacentHTML.call(this, where, renamed(String(html)));
    apply(this.parentNode ?? this);
  };
})();
