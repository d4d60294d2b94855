// How the screens of segments look; loaded with whichever is opened first.
import "./segments.css";
