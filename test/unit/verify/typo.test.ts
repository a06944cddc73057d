// Which domains are slips of a popular one, and which only look like it.
import { describe, expect, test } from 'bun:test'
import { suggestDomain } from '../../../src/modules/audience/verify/typo'

describe('a slip', () => {
  test.each<[string, string, string]>([
    ['two letters swapped', 'gmial.com', 'gmail.com'],
    ['a letter missing', 'gmal.com', 'gmail.com'],
    ['a letter too many', 'gmaill.com', 'gmail.com'],
    ['a neighbouring key', 'hotnail.com', 'hotmail.com'],
    ['a doubled letter missing', 'outlok.com', 'outlook.com'],
    ['a slip in a name that is a provider of its own by now', 'yaho.com', 'yahoo.com'],
    ['an ending that does not exist', 'gmail.con', 'gmail.com'],
    ['an ending with a letter too many', 'gmail.comm', 'gmail.com'],
    ['a slip in both', 'gmial.con', 'gmail.com'],
    ['an ending that exists, behind an unmistakable name', 'gmail.co', 'gmail.com'],
    ['two slips in a long name', 'prtonmial.com', 'protonmail.com'],
    ['a short name with an impossible ending', 'gmx.ed', 'gmx.de'],
    ['a provider below two levels', 'yaho.co.uk', 'yahoo.co.uk'],
  ])('%s: %s means %s', (_, given, meant) => {
    expect(suggestDomain(given)).toBe(meant)
  })
})

describe('no slip', () => {
  test.each<[string, string]>([
    ['the provider itself', 'gmail.com'],
    ['a provider in another country', 'yahoo.fr'],
    ['a provider in a country that is not listed', 'outlook.pt'],
    ['a provider one letter away', 'ymail.com'],
    ['another real one a letter away', 'email.com'],
    ['a company whose name holds a short one', 'acme.com'],
    ['a company a letter from a short one', 'ibm.com'],
    ['a word a letter from a short one', 'olive.com'],
    ['a word two letters away', 'small.com'],
    ['a short name below another ending', 'web.dev'],
    ['a long name with a new ending', 'acme.museum'],
    ['a name of one letter', 'x.com'],
    ['a sub-domain', 'news.acme.co.za'],
    ['an international one', 'xn--bcher-kva.de'],
  ])('%s: %s', (_, domain) => {
    expect(suggestDomain(domain)).toBeUndefined()
  })
})
