// How a mail's HTML begins: for phones, for screen readers, and for mail clients that would otherwise darken it themselves.
import { escapeAttribute } from './escape'

/** Up to the body. `styles` is CSS, for mail clients that support style sheets. */
export function mailHead(language: string, styles: string): string {
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title></title>
<style>
${styles}
</style>
</head>`
}
