// Where a footer goes: before the end of the body that a browser sees.
import { expect, test } from 'bun:test'
import { appendFooter } from '../../../src/lib/html-end'

const marker = '#'

test.each([
  ['<html><body><p>x</p>#</body></html>'],
  ['<p>x</p>#'],
  ['#'],
  ['<body>x#</BODY ></html><!-- built with Acme: </table></body> -->'],
  ['<body>x#</body><script>write("</body>")</script>'],
  ['<body>x#</body><style>/* </body> */</style>'],
  ['<body><title></body></title>x#</body><!-- never closed </body>'],
  ['<body>x</body>y#</body>'],
  ['<p title="</body>">x</p>#'],
  ['<p>x</p><!-- </body> -->#'],
  ['<p>x</p>#<!-- never closed </body>'],
  ['<p>x</p>#<style>never closed'],
  ['<p>x</p><!--><p>y#</body>'],
  ['<!--[if mso]></body><![endif]--><p>x#</body>'],
])('%s', expected => expect(appendFooter(expected.replace(marker, ''), marker)).toBe(expected))
