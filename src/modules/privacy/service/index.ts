// The use cases of privacy.
export { askForLink } from './ask'
export { copyAsJson, copyToRead } from './copy'
export { erasePerson, findPerson, spendCopy } from './person'
