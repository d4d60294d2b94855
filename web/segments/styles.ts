// The styles of the segment screens, loaded with the first one.
import "./segments.css";
