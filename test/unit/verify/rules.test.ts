// What a result says, given the lists and the facts about the domain.
import { beforeAll, describe, expect, test } from 'bun:test'
import type { DomainFacts } from '../../../src/modules/audience/verify/facts'
import { type DomainLists, makeDomainLists } from '../../../src/modules/audience/verify/lists'
import type { Verification } from '../../../src/modules/audience/verify/rules'
import { asciiDomainOf, assessAddress } from '../../../src/modules/audience/verify/rules'

const good: DomainFacts = { exists: true, mail: 'accepted', website: true }
let lists: DomainLists
beforeAll(async () => {
  lists = await makeDomainLists()()
})

const plain = {
  valid: true,
  isDisposable: false,
  isAlias: false,
  isTypo: false,
  isPlusAddressed: false,
  isPersonalEmail: false,
  domainExists: true,
  hasWebsite: true,
  hasMxRecords: true,
  reasons: ['The domain exists and accepts mail'],
}

describe('of an address', () => {
  test.each<[string, string, Partial<Verification>]>([
    ['a company', 'ada@acme.com', {}],
    ['a free provider', 'ada@gmail.com', { isPersonalEmail: true }],
    ['a free provider that the package misses', 'ada@proton.me', { isPersonalEmail: true }],
    ['a free provider in capitals', 'ADA@GMail.COM', { isPersonalEmail: true }],
    [
      'a disposable domain, which is valid all the same',
      'ada@mailinator.com',
      { isDisposable: true, reasons: ['The domain hands out disposable addresses'] },
    ],
    [
      'a sub-domain of a disposable one',
      'ada@any.thing.mailinator.com',
      { isDisposable: true, reasons: ['The domain hands out disposable addresses'] },
    ],
    [
      'a disposable international domain as it is spelt',
      'ada@instágram.com',
      { isDisposable: true, reasons: ['The domain hands out disposable addresses'] },
    ],
    [
      'a disposable international domain in Punycode',
      `ada@${asciiDomainOf('ada@instágram.com')}`,
      { isDisposable: true, reasons: ['The domain hands out disposable addresses'] },
    ],
    ['a domain that only ends like a disposable one', 'ada@no-mailinator.com', {}],
    [
      'a forwarding service',
      'x7@privaterelay.appleid.com',
      { isAlias: true, reasons: ['The domain belongs to a forwarding or alias service'] },
    ],
    [
      "a user's sub-domain of a forwarding service",
      'shop@ada.anonaddy.com',
      { isAlias: true, reasons: ['The domain belongs to a forwarding or alias service'] },
    ],
    [
      'a plus sign',
      'ada+news@acme.com',
      { isPlusAddressed: true, reasons: ['The address uses plus addressing'] },
    ],
    [
      'a typo; the suggestion keeps the local part',
      'Ada+x@gmial.com',
      {
        isTypo: true,
        isPlusAddressed: true,
        suggestedEmail: 'Ada+x@gmail.com',
        reasons: ['The address uses plus addressing', 'Possible typo: did you mean gmail.com?'],
      },
    ],
  ])('%s', (_, email, differences) => {
    expect(assessAddress(email, lists, good)).toEqual({ email, ...plain, ...differences })
  })
})

describe('of a domain', () => {
  test.each<[string, DomainFacts, Partial<Verification>]>([
    ['with mail and no website', { ...good, website: false }, { hasWebsite: false }],
    [
      'that does not exist',
      { exists: false, mail: 'none', website: false },
      {
        valid: false,
        domainExists: false,
        hasWebsite: false,
        hasMxRecords: false,
        reasons: ['The domain acme.com does not exist'],
      },
    ],
    [
      'without mail',
      { ...good, mail: 'none' },
      { valid: false, hasMxRecords: false, reasons: ['The domain acme.com has no MX records'] },
    ],
    [
      'that refuses mail',
      { ...good, mail: 'refused' },
      {
        valid: false,
        hasMxRecords: false,
        reasons: ['The domain acme.com declares that it accepts no mail (null MX)'],
      },
    ],
    [
      'about which nobody answered: not held against it',
      { exists: undefined, mail: undefined, website: undefined },
      {
        hasWebsite: false,
        hasMxRecords: false,
        reasons: ['The domain could not be checked: no name server answered. Try again later'],
      },
    ],
    [
      'about whose mail nobody answered: not held against it',
      { ...good, mail: undefined },
      {
        hasMxRecords: false,
        reasons: ['The MX records could not be checked: no name server answered. Try again later'],
      },
    ],
    [
      'that has no mail for certain, while the rest is unknown',
      { exists: undefined, mail: 'none', website: undefined },
      {
        valid: false,
        hasWebsite: false,
        hasMxRecords: false,
        reasons: ['The domain acme.com has no MX records'],
      },
    ],
  ])('%s', (_, facts, differences) => {
    expect(assessAddress('ada@acme.com', lists, facts)).toEqual({
      email: 'ada@acme.com',
      ...plain,
      ...differences,
    })
  })
})
