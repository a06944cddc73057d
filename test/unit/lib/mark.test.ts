// The mark of the pages that are written by the server is the drawing of the dashboard.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mark } from '../../../src/lib/mark'

const drawing = readFileSync(join(import.meta.dir, '../../../src/dashboard/app/mark.svg'), 'utf8').trim()

test('there is one mark', () => {
  expect(mark.replace(' aria-hidden="true"', ' xmlns="http://www.w3.org/2000/svg"')).toBe(drawing)
})
