// The screens of people, loaded together.
export { DuplicatesScreen } from "./duplicates/duplicates.tsx";
export { ImportScreen } from "./import/import.tsx";
export { PeopleScreen } from "./people.tsx";
export { PersonScreen } from "./person/person.tsx";
