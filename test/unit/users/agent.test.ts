// What a User-Agent header is told as.
import { expect, test } from 'bun:test'
import { shortAgent } from '../../../src/modules/accounts/users/agent'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 Edg/126.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36',
    'Chrome, Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Safari, macOS',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['waxwing-tools/1.0 (nobody)', 'waxwing-tools/1.0'],
  [`x${'y'.repeat(5_000)}`, `x${'y'.repeat(59)}`],
  ['\u0001é\u202e', null],
  ['', null],
  [undefined, null],
])('%p is %p', (header, said) => {
  expect(shortAgent(header)).toBe(said)
})
